import { data, Form, redirect, useNavigation } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import * as messages from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import { businessDays, SHIPPED_NUMBERS, textOf } from "#app/numbers/numbers.ts";
import { getOrder } from "#app/orders/history.server.ts";
import { partTexts } from "#app/orders/view.ts";
import { cancelOwnOrder, readCancelOffer } from "#app/payments/refunds/own-cancel.server.ts";
import { noteNotOwn } from "#app/payments/status.server.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { Help } from "#app/ui/frame/help.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/order-cancel";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Cancel your order", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** More presses than a person makes. Each asks for the order's lock, which packing needs, too. */
const PRESSES_AN_HOUR = 30;

/** What goes back if the order is cancelled, or why it cannot be. Only the order's owner gets it. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return null;
  const order = await ownOrder(user.id, params.reference);
  const { number, reference, lines, shippingCents, numbers } = order;
  const offer = await readCancelOffer(db(), user.id, reference);
  const shown = { uid: user.id, number, reference };
  if (!offer.ok) return { ...shown, offer: null, closed: textOf(messages.cancelling[offer.why], numbers) };
  const withShipping = offer.withShipping && shippingCents > 0;
  const parts = partTexts(lines, { pieces: offer.pieces, withShipping });
  const { refundDays: days } = numbers ?? SHIPPED_NUMBERS;
  return { ...shown, offer: { parts, sum: formatKobo(offer.kobo), days }, closed: null };
}

/** Throws a response with status 404 if the order is not this shopper's. */
async function ownOrder(userId: string, reference: string) {
  const order = await getOrder(db(), userId, reference);
  if (order) return order;
  await noteNotOwn(db(), userId, reference);
  throw data(null, { status: 404 });
}

/** `isOver`: the order can no longer be cancelled here. */
type Answer = { problem: string; isOver?: true };

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return data(await answerOr<Answer>(serverAction, { problem: messages.form.unavailable }), { status: 400 });
}

/** Cancels the order. Status 303 if it is cancelled, also for a repetition; 400 with the reason if it cannot be. */
export async function action({ request, params }: Route.ActionArgs) {
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const { reference, numbers } = await ownOrder(user.id, params.reference);
  const limited = await limit(db(), [`cancels of ${user.id}`, PRESSES_AN_HOUR, HOUR]);
  if (!limited.ok) {
    const answer: Answer = { problem: messages.form.tooOften };
    return data(answer, { status: 429, headers: { "Retry-After": String(limited.retryAfter) } });
  }
  const done = await cancelOwnOrder(db("checkout"), user.id, reference);
  if (done.ok || done.why === "given-back") throw redirect(`/order/${encodeURIComponent(reference)}`, 303);
  const problem = textOf(messages.cancelling[done.why], numbers);
  return data<Answer>({ problem, isOver: true }, { status: 400 });
}

export default function OrderCancel({ loaderData, actionData }: Route.ComponentProps) {
  useOwner(loaderData?.uid);
  const isBusy = useNavigation().formAction !== undefined;
  const main = useFocusAnswer<HTMLElement>(actionData);
  if (!loaderData) {
    return (
      <Notice title="Cancel your order">
        <p className="text-lg">Please log in to see your order.</p>
        <ButtonLink to="/login?next=/account">Login</ButtonLink>
      </Notice>
    );
  }
  const { number, reference, offer, closed } = loaderData;
  const isOpen = offer !== null && !actionData?.isOver;
  return (
    <main ref={main} className="page grid max-w-[48rem] gap-8 py-7 lg:py-12">
      <div className="grid gap-2">
        <Link
          to={`/order/${reference}`}
          className="inline-flex min-h-11 items-center gap-1 justify-self-start text-sm text-muted underline underline-offset-4"
        >
          <ChevronIcon className="size-5 rotate-90" /> <span>{`Order ${number}`}</span>
        </Link>
        <h1 className="headline text-3xl sm:text-5xl">{isOpen ? "Cancel this order?" : "Cancel your order"}</h1>
      </div>
      <FormError>{actionData?.problem}</FormError>
      {isOpen ? (
        <>
          <div className="grid gap-4">
            <p>We haven’t packed it yet, so you can still cancel all of it:</p>
            <ul className="list-disc pl-5">
              {offer.parts.map((part) => (
                <li key={part}>{part}</li>
              ))}
            </ul>
            <p>
              <strong>{offer.sum}</strong>{" "}
              {`goes back to the card or account you paid with, within ${businessDays(offer.days)}. You can’t undo this: if you change your mind, you’ll have to order again.`}
            </p>
          </div>
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={`/order/${reference}`}>Keep order</ButtonLink>
            <Form method="post">
              <Button look="outline" busy={isBusy}>
                Cancel order
              </Button>
            </Form>
          </div>
        </>
      ) : (
        <>
          {!actionData && <p>{closed}</p>}
          <ButtonLink to={`/order/${reference}`} look="outline" className="justify-self-start">
            See the order
          </ButtonLink>
        </>
      )}
      <Help about={`my order ${number}`} />
    </main>
  );
}
