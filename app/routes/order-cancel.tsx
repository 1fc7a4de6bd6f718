import { data, Form, redirect, useNavigation } from "react-router";
import { currentUser } from "#app/account/session/store.server.ts";
import { useOwner } from "#app/account/session/summary.browser.ts";
import { db } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import * as messages from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import { businessDays, SHIPPED_NUMBERS, textOf } from "#app/numbers/numbers.ts";
import { LoginForOrder, OwnChangePage } from "#app/orders/own-change/page.tsx";
import { partTexts } from "#app/orders/view.ts";
import { ownOrder } from "#app/payments/own-order.server.ts";
import { cancelOwnOrder, readCancelOffer } from "#app/payments/refunds/own-cancel.server.ts";
import { answerOr } from "#app/ui/answer-or.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
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
  const order = await ownOrder(db(), user.id, params.reference);
  const { number, reference, lines, shippingCents, numbers } = order;
  const offer = await readCancelOffer(db(), user.id, reference);
  const shown = { uid: user.id, number, reference };
  if (!offer.ok) return { ...shown, offer: null, closed: textOf(messages.cancelling[offer.why], numbers) };
  const withShipping = offer.withShipping && shippingCents > 0;
  const parts = partTexts(lines, { pieces: offer.pieces, withShipping });
  const { refundDays: days } = numbers ?? SHIPPED_NUMBERS;
  return { ...shown, offer: { parts, sum: formatKobo(offer.kobo), days }, closed: null };
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
  const { reference, numbers } = await ownOrder(db(), user.id, params.reference);
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
  if (!loaderData) return <LoginForOrder title="Cancel your order" />;
  const { number, reference, offer, closed } = loaderData;
  const isOpen = offer !== null && !actionData?.isOver;
  return (
    <OwnChangePage
      title={isOpen ? "Cancel this order?" : "Cancel your order"}
      number={number}
      reference={reference}
      answer={actionData}
      problem={actionData?.problem}
      closed={closed}
    >
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
      ) : undefined}
    </OwnChangePage>
  );
}
