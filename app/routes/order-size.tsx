import { data, redirect, type ShouldRevalidateFunctionArgs, useNavigation } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import * as messages from "#app/messages.ts";
import { LoginForOrder, OwnChangePage } from "#app/orders/own-change/page.tsx";
import { type SizeAnswer, SizeForm } from "#app/orders/size-change/form.tsx";
import { changeOwnSize, readSizeOffer } from "#app/orders/size-change/own.server.ts";
import { readChange } from "#app/orders/size-change/plan.ts";
import { ownOrder } from "#app/payments/own-order.server.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/order-size";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Change a size", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** More presses than a person makes. Each asks for the order's lock, which packing needs, too. */
const PRESSES_AN_HOUR = 30;

/** The sizes that can be changed, or why none can. Only the order's owner gets them. */
export async function loader({ request, params }: Route.LoaderArgs) {
  const user = await currentUser(request);
  if (!user) return null;
  const { number, reference } = await ownOrder(db(), user.id, params.reference);
  const offer = await readSizeOffer(db(), user.id, reference);
  const shown = { uid: user.id, number, reference };
  if (!offer.ok) return { ...shown, offer: null, closed: messages.sizing[offer.why] };
  const { changes, lines } = offer;
  if (lines.length === 0) return { ...shown, offer: null, closed: messages.sizing.none };
  return { ...shown, offer: { lines, version: changes }, closed: null };
}

/**
 * Loads the sizes and the number of changes anew after a refusal, but not after a lost answer: the form still says how
 * many changes it has seen, so that it is one change when it is sent again.
 */
export function shouldRevalidate({ actionResult }: ShouldRevalidateFunctionArgs) {
  return !actionResult?.isLost;
}

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return data(await answerOr<SizeAnswer>(serverAction, { problem: messages.form.unavailable, isLost: true }), {
    status: 400,
  });
}

/** Changes a size. Status 303 if it is changed, also for a repetition; 400 with the errors by field. */
export async function action({ request, params }: Route.ActionArgs) {
  const user = await currentUser(request);
  if (!user) throw redirect("/login?next=/account", 303);
  const { reference } = await ownOrder(db(), user.id, params.reference);
  const { change: choice, quantity, version } = await readForm(request);
  const kept = { change: choice, quantity };
  const limited = await limit(db(), [`sizes of ${user.id}`, PRESSES_AN_HOUR, HOUR]);
  if (!limited.ok) {
    const answer: SizeAnswer = { problem: messages.form.tooOften, kept };
    return data(answer, { status: 429, headers: { "Retry-After": String(limited.retryAfter) } });
  }
  const change = readChange(choice, quantity);
  if (!change) return refusal({ errors: { change: messages.sizing.choose }, kept });
  const done = await changeOwnSize(db("checkout"), user.id, reference, change, Number(version));
  if (done.ok) throw redirect(`/order/${encodeURIComponent(reference)}?size=changed`, 303);
  const text = messages.sizing[done.why];
  switch (done.why) {
    case "too-many":
      return refusal({ errors: { quantity: text }, kept });
    case "not-there":
      return refusal({ errors: { change: text }, kept });
    default:
      return refusal({ problem: text, kept });
  }
}

function refusal(answer: Partial<SizeAnswer>) {
  return data<SizeAnswer>({ problem: messages.form.lookAtMarked, ...answer }, { status: 400 });
}

export default function OrderSize({ loaderData, actionData }: Route.ComponentProps) {
  useOwner(loaderData?.uid);
  const isBusy = useNavigation().formAction !== undefined;
  if (!loaderData) return <LoginForOrder title="Change a size" />;
  const { number, reference, offer, closed } = loaderData;
  const back = `/order/${reference}`;
  // A size that has just been sold may have been the last one to choose.
  const problem = actionData && (offer ? actionData.problem : closed);
  return (
    <OwnChangePage
      title="Change a size"
      number={number}
      reference={reference}
      answer={actionData}
      problem={problem}
      closed={closed}
    >
      {offer ? (
        <>
          <p>
            We haven’t packed it yet, so you can still choose another size of what you ordered. It costs nothing, and
            what you paid stays the same.
          </p>
          <SizeForm {...offer} back={back} answer={actionData} busy={isBusy} />
        </>
      ) : undefined}
    </OwnChangePage>
  );
}
