import type { Kobo } from "#app/money/money.ts";
import type { Sums } from "#app/orders/sums.ts";
import type { NamedShortage, Units } from "#app/orders/units.ts";

/** A payment that the shopper can make now: in the popup, with the access code, or at its own URL. */
export type OpenedPayment = {
  ok: true;
  orderId: string;
  reference: string;
  provider: string;
  accessCode: string;
  authorizationUrl: string;
  kobo: Kobo;
};

type PlainProblem =
  | "not-verified"
  | "not-naira"
  | "empty-cart"
  | "payment-unavailable"
  /**
   * The provider does not say what became of the shopper's previous payment, so a second one could be charged on top.
   */
  | "earlier-payment-unseen"
  /** The owner has set no delivery rate for this place. */
  | "no-delivery"
  /** The pieces would not be reserved, and the shopper has not agreed to that yet. */
  | "holds-nothing"
  /**
   * "email-refused": the provider does not accept the e-mail address. "refused": it does not accept the payment. A
   * retry does not help in either case.
   */
  | "payment-email-refused"
  | "payment-refused";
/** Why no payment was opened. Nothing is reserved then, and an order that was already open is unchanged. */
export type NotStarted =
  | { ok: false; problem: PlainProblem }
  /** The shopper has meanwhile paid the order that was open in another tab. */
  | { ok: false; problem: "already-paid"; reference: string }
  | { ok: false; problem: "out-of-stock"; lines: NamedShortage[] }
  | { ok: false; problem: "too-many"; lines: Units[]; limit: number }
  /**
   * The sums differ from those shown. The shopper must agree to the new ones and, if `holdsStock` is false, to having
   * nothing reserved.
   */
  | { ok: false; problem: "stale-total"; sums: Sums; holdsStock: boolean };

export function refusal(problem: PlainProblem): NotStarted {
  return { ok: false, problem };
}

/** What became of a payment. */
export type Settlement =
  | { outcome: "sold"; saleId: string }
  /** A bank transfer is pending. */
  | { outcome: "pending" }
  /** Not paid so far. The shopper may still pay on an open payment page. */
  | { outcome: "unpaid" }
  /** Paid, but not sold: a refund is under way or done. */
  | { outcome: "refunding" }
  | { outcome: "unknown-reference" }
  /** The provider gave no readable response. Nothing has changed. */
  | { outcome: "unavailable" };
