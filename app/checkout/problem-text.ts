import { messages } from "#app/messages.ts";
import { formatKobo } from "#app/money/format.ts";
import type { NotStarted } from "./outcomes.ts";

/** Why a payment was not started, as a sentence for the shopper. */
export function problemText(not: NotStarted): string {
  switch (not.problem) {
    case "empty-cart":
      return messages.checkout.emptied;
    case "not-verified":
      return messages.login.unverified;
    case "not-naira":
      return messages.payment.notNaira;
    case "already-paid":
      return "This order has been paid already. You find it in your account.";
    case "out-of-stock":
      return not.lines
        .map(({ title, size, available }) =>
          available === 0 ? `${title} in ${size} is sold out.` : `Of ${title} in ${size} only ${available} are left.`,
        )
        .join(" ");
    case "too-many":
      return `At most ${not.limit} pieces of one size can be bought in one order.`;
    case "stale-total":
      return `The total has changed to ${formatKobo(not.sums.kobo)}. Please look at it and press Pay Now again.`;
    case "payment-unavailable":
      return "Card payments cannot be reached right now. Nothing was charged and your cart is kept. Please try again in a moment.";
  }
}
