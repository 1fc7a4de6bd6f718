import { ONE_SIZE } from "#app/catalog/sizes.ts";
import * as messages from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import type { NamedShortage } from "#app/orders/units.ts";
import type { NotStarted } from "./outcomes.ts";

export function shortText(lines: NamedShortage[]): string {
  return lines
    .map(({ title, size, available, isLimit }) => {
      const what = size === ONE_SIZE ? title : `${title} in ${size}`;
      if (isLimit) return `Of ${what} at most ${available} can be bought in one order.`;
      if (available === 0) return `${what} is sold out.`;
      return `Of ${what} only ${available} ${available === 1 ? "is" : "are"} left.`;
    })
    .join(" ");
}

/**
 * The reason why a payment was not started, as a text for the shopper. `sawTotal`: whether the shown sum included
 * delivery; `button`: the one that was pressed.
 */
export function problemText(
  not: Exclude<NotStarted, { problem: "already-paid" | "payer-awaited" | "in-queue" }>,
  sawTotal = true,
  button = "Pay Now",
): string {
  switch (not.problem) {
    case "empty-cart":
      return messages.checkout.emptied;
    case "not-verified":
      return messages.login.unverified;
    case "not-naira":
      return messages.payment.notNaira;
    case "out-of-stock":
      return shortText(not.lines);
    case "too-many":
      return messages.cartOther.mostOfASize(not.limit);
    case "stale-total":
      return [
        `${sawTotal ? "The total has changed to" : "With delivery the total is"} ${formatKobo(not.sums.kobo)}.`,
        ...(not.unheld ? [messages.order.unheld[not.unheld]] : []),
        `Please check it and press ${button} again.`,
      ].join(" ");
    case "holds-nothing":
      return `${messages.order.unheld[not.unheld]} If you still want them, press ${button} again.`;
    case "no-link":
      return messages.payerLink.notHeld;
    case "no-delivery":
      return messages.order.noDelivery;
    case "payment-email-refused":
      return messages.form.emailRefused;
    case "payment-refused":
      return messages.form.paymentRefused;
    case "earlier-payment-unseen":
      return messages.order.earlierNotSeen;
    case "payment-unavailable":
      return "Card payments aren’t available right now. Nothing was charged and your cart is kept. Please try again in a moment.";
  }
}
