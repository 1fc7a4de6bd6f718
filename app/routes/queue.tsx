import { useEffect } from "react";
import { data, Form, redirect, useNavigation, useRevalidator } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { inSeconds, MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import * as messages from "#app/messages.ts";
import { dayWords } from "#app/orders/fulfilment/days.ts";
import { queueFor, standIn } from "#app/orders/queue/queue.server.ts";
import type { Stand } from "#app/orders/queue/queue.ts";
import { aboutText, askAgainIn, waitOf } from "#app/orders/queue/wait.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { productPath, queuePath } from "#app/ui/frame/paths.ts";
import type { Route } from "./+types/queue";

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, { title: loaderData?.tab ?? "Queue", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** The shopper's place in the queue of a product. Looking at it takes no place. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  const stand = await standIn(db(), params.id, user?.id ?? null);
  if (!stand) throw redirect(productPath(params.id)); // which says what there is, without a queue
  const now = new Date();
  const again = askAgainIn(stand, now, Math.random());
  return {
    title: stand.title,
    product: productPath(params.id),
    is: stand.place.is,
    isInCart: stand.isInCart,
    ...textsOf(stand, now),
    // The words are made here, so that they are in no page's scripts.
    ...(!user && { logIn: { text: messages.queue.logIn, to: `/login?next=${queuePath(params.id)}` } }),
    ...(again !== undefined && { seconds: Math.round(inSeconds(again)) }),
  };
}

/** What the page says, the most important first, and its name in the browser's tab. */
function textsOf({ title, opensAt, pace, place, isInCart }: Stand, now: Date): { tab: string; texts: string[] } {
  const words = dayWords(now, env.SHOP_TIMEZONE);
  const tab = `Queue for ${title}`;
  switch (place.is) {
    case "none":
      return { tab, texts: [messages.queue.about(title, place.isOpen ? undefined : words.dayAndTime(opensAt))] };
    case "drawn-later":
      return { tab, texts: [messages.queue.drawnLater(words.dayAndTime(opensAt)), messages.queue.stay] };
    case "waiting": {
      const { ahead, left } = place;
      const isMoving = left === "enough" && ahead !== undefined;
      const wait = isMoving && messages.queue.number(ahead, aboutText(waitOf(ahead, pace)));
      const number = ahead !== undefined && messages.queue.onlyNumber(ahead);
      const state = left !== "enough" && messages.queue[left];
      return {
        tab: ahead === undefined ? tab : `Number ${ahead} | ${title}`,
        texts: [
          wait || number || messages.queue.soon,
          ...(state ? [state] : []),
          messages.queue.stay,
          ...(isInCart ? [messages.queue.kept] : []),
        ],
      };
    }
    case "turn": {
      const minutes = Math.max(1, Math.floor((place.endsAt.getTime() - now.getTime()) / MINUTE));
      return {
        tab: `It’s your turn | ${title}`,
        texts: [messages.queue.turn(words.clock(place.endsAt), minutes), messages.queue.notHeld],
      };
    }
    default:
      return { tab, texts: [messages.queue[place.is]] };
  }
}

type Answer = { problem: string };

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return data(await answerOr<Answer>(serverAction, { problem: messages.form.unavailable }), { status: 422 });
}

/** Takes the account's one place. 303 to this page: also for who has one, which stays as it is. */
export async function action({ request, params }: Route.ActionArgs) {
  const user = await currentUser(request);
  const here = queuePath(params.id);
  if (!user) throw redirect(`/login?next=${here}`, 303);
  if (!user.emailVerified) return data<Answer>({ problem: messages.queue.unverified }, { status: 403 });
  const own = await limit(db(), [`queues of ${user.id}`, 30, 10 * MINUTE]);
  if (!own.ok)
    return data<Answer>(
      { problem: messages.form.tooOften },
      { status: 429, headers: { "Retry-After": String(own.retryAfter) } },
    );
  await queueFor(db("checkout"), user.id, [params.id]);
  throw redirect(here, 303);
}

type Loaded = Awaited<ReturnType<Route.ClientLoaderArgs["serverLoader"]>>;
/** What this page has shown last, by its path. */
let last: { path: string; loaderData: Loaded } | undefined;

/** If the shop can't be reached, the page stays as it is, and asks again later. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs): Promise<Loaded> {
  try {
    return await serverLoader();
  } catch (error) {
    const isShown = last?.path === new URL(request.url).pathname;
    if (!last || !isShown || error instanceof Response) throw error;
    return { ...last.loaderData };
  }
}

/**
 * Loads the data again after so many seconds, and when the page is seen again, since timers sleep meanwhile. Without
 * script, the page itself is loaded again.
 */
function useAskAgain(loaderData: Loaded): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    last = { path: location.pathname, loaderData };
    if (loaderData.seconds === undefined) return;
    const ask = () => void (document.visibilityState === "visible" && revalidate());
    const timer = setTimeout(() => void revalidate(), loaderData.seconds * 1000);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [loaderData, revalidate]);
}

export default function Queue({ loaderData, actionData }: Route.ComponentProps) {
  const { title, product, is, isInCart, logIn, texts, seconds } = loaderData;
  useAskAgain(loaderData);
  const form = useFocusAnswer(actionData);
  const isBusy = useNavigation().formAction !== undefined;
  const [first, ...more] = texts;
  return (
    <Notice title={title}>
      <noscript>{seconds !== undefined && <meta httpEquiv="refresh" content={String(seconds)} />}</noscript>
      <p role="status" className="text-lg">
        {first}
      </p>
      {more.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {logIn ? (
        <>
          <p>{logIn.text}</p>
          <ButtonLink to={logIn.to}>Log in to join</ButtonLink>
        </>
      ) : (
        (is === "none" || is === "passed" || is === "bought") && (
          <Form ref={form} method="post" className="grid gap-4">
            <FormError>{actionData?.problem}</FormError>
            <Button busy={isBusy}>{is === "none" ? "Join the queue" : "Join again"}</Button>
          </Form>
        )
      )}{" "}
      {(is === "held" || (is === "turn" && isInCart)) && <ButtonLink to="/checkout">Go to checkout</ButtonLink>}
      {is === "turn" && !isInCart && <ButtonLink to={product}>Choose your size</ButtonLink>}
      {is !== "turn" && is !== "held" && (
        <ButtonLink to={product} look="quiet">
          See the product
        </ButtonLink>
      )}
    </Notice>
  );
}
