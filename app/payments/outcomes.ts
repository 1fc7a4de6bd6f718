import type { Kobo } from "#app/money/money.ts";
import type { Sums } from "#app/orders/sums.ts";
import type { NamedShortage, Units } from "#app/orders/units.ts";

/** A payment that the shopper can go to now: in the popup by its access code, or at its own address. */
export type OpenedPayment = {
  ok: true;
  orderId: string;
  reference: string;
  accessCode: string;
  authorizationUrl: string;
  kobo: Kobo;
};

type PlainProblem =
  | "not-verified"
  | "not-naira"
  | "empty-cart"
  | "payment-unavailable"
  /** The provider does not say what became of the shopper's last payment: a second one could be charged as well. */
  | "earlier-payment-unseen"
  /** Nobody has set what delivery there costs. */
  | "no-delivery"
  /** The pieces would not be put aside: the shopper has to agree to that. */
  | "holds-nothing"
  /** The provider takes nothing from this e-mail address; or not this payment at all, and trying again does not help. */
  | "payment-email-refused"
  | "payment-refused";
/** Why no payment was opened. Nothing is reserved for it then; an order that was open before stays as it was. */
export type NotStarted =
  | { ok: false; problem: PlainProblem }
  /** The order that was being paid in another tab has been paid meanwhile. */
  | { ok: false; problem: "already-paid"; reference: string }
  | { ok: false; problem: "out-of-stock"; lines: NamedShortage[] }
  | { ok: false; problem: "too-many"; lines: Units[]; limit: number }
  /** Not the sums that were shown: the shopper has to agree to these, and where nothing would be put aside to that. */
  | { ok: false; problem: "stale-total"; sums: Sums; holdsStock: boolean };

export function refusal(problem: PlainProblem): NotStarted {
  return { ok: false, problem };
}

/** What became of a payment. */
export type Settlement =
  | { outcome: "sold"; saleId: string }
  /** A transfer is on its way. */
  | { outcome: "pending" }
  /** Not paid so far; a shopper with the payment page still open may yet pay. */
  | { outcome: "unpaid" }
  /** Paid, but it cannot be sold: the money goes back, or has gone. */
  | { outcome: "refunding" }
  | { outcome: "unknown-reference" }
  /** The provider gave no answer that can be read: nothing is known, nothing has changed. */
  | { outcome: "unavailable" };
