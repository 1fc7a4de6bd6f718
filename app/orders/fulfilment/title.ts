import { countUnits } from "#app/cart/cart.ts";
import * as messages from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { longDate } from "#app/ui/long-date.ts";
import { type OrderReturn, returnWords } from "../returns/return.ts";
import { LIVE_RETURNS } from "../returns/state.ts";
import { type OrderView, statusText, thanks } from "../view.ts";

export type OrderTitle = { title: string; text: string };

/** The title of a sold order's page, and the text below it: what has happened last. `firstName` is the account's. */
export function soldTitle(order: OrderView, firstName: string): OrderTitle {
  const { progress, staysHere, status } = order;
  if (staysHere) return { title: "Nothing will be sent.", text: staysHereText(order) };
  if (isJustPaid(order))
    return {
      title: thanks(firstName),
      text: `${messages.payment.done} Your payment of ${formatKobo(kobo(order.kobo))} has arrived.`,
    };
  const last = lastReturn(order);
  if (last) return returnTitle(last, order.numbers);
  return { title: progress?.title ?? statusText(status), text: progress?.note ?? "" };
}

/** Whether nothing has happened with a new order since its payment. */
export function isJustPaid({ isNew, progress, refunds }: OrderView): boolean {
  return isNew && progress?.stage === "paid" && refunds.length === 0;
}

/**
 * The return that the title is about: the newest one, until it has ended without an exchange. Undefined if the owner
 * has since reported that the whole order came back.
 */
export function lastReturn({ progress, returns: [newest] }: OrderView): OrderReturn | undefined {
  if (!newest || progress?.stage === "returned") return;
  const isExchanged = newest.state === "done" && newest.wish === "exchange";
  return isExchanged || LIVE_RETURNS.includes(newest.state) ? newest : undefined;
}

function returnTitle(last: OrderReturn, numbers: OrderView["numbers"]): OrderTitle {
  const { title, next } = returnWords(last, numbers);
  switch (last.state) {
    case "received":
      return { title: "What you sent back has arrived.", text: next };
    case "done":
      return { title: "Exchange sent.", text: sentOn(last) };
    default:
      return { title: `${title}.`, text: next };
  }
}

/** The day instead of "on its way", since nobody reports when an exchange arrives. */
function sentOn({ endedAt, carrier, tracking }: OrderReturn): string {
  const day = endedAt && `It left us on ${longDate(new Date(endedAt))}`;
  return [day, carrier && `with ${carrier}`, tracking && `tracking number ${tracking}`].filter(Boolean).join(", ");
}

/** The items count as refunded only once their money has arrived. */
function staysHereText({ lines, refunds }: OrderView): string {
  const arrived = refunds.filter(({ isDone }) => isDone).flatMap(({ pieces }) => pieces);
  return countUnits(arrived) >= countUnits(lines)
    ? "We refunded everything in this order before it was sent."
    : "We’re refunding everything in this order.";
}
