import type { Kobo } from "#app/money/money.ts";
import type { Sums } from "#app/orders/sums.ts";
import type { NamedShortage, Unheld, Units } from "#app/orders/units.ts";

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
   * The provider gives no answer about the shopper's previous payment: a second payment could charge the shopper twice.
   */
  | "earlier-payment-unseen"
  /** The owner has set no delivery rate for this place. */
  | "no-delivery"
  /**
   * Somebody else cannot pay: the pieces would not be reserved, or too many of the shopper's links have ended unpaid.
   */
  | "no-link"
  /**
   * The provider refuses the e-mail address ("payment-email-refused") or the payment itself ("payment-refused"). A
   * retry does not help in either case.
   */
  | "payment-email-refused"
  | "payment-refused";
/**
 * Why no payment was opened. Nothing new stays reserved. The shopper's earlier order is unchanged, unless the provider
 * failed to open a payment: the earlier order is released in that case, except one that somebody else may pay by a
 * link.
 */
export type NotStarted =
  | { ok: false; problem: PlainProblem }
  /** The shopper has meanwhile paid the order that was open in another tab. */
  | { ok: false; problem: "already-paid"; reference: string }
  /** A transfer of somebody else, who pays by the shopper's link, is under way. */
  | { ok: false; problem: "payer-awaited" }
  /** The product is sold in turns, and the shopper waits for one. */
  | { ok: false; problem: "in-queue"; productId: string }
  | { ok: false; problem: "out-of-stock"; lines: NamedShortage[] }
  | { ok: false; problem: "too-many"; lines: Units[]; limit: number }
  /**
   * The sums differ from those shown. The shopper must agree to the new ones and, with `unheld`, to what would not be
   * held.
   */
  | { ok: false; problem: "stale-total"; sums: Sums; unheld?: Unheld }
  /** The shopper has not yet agreed to what would not be held. */
  | { ok: false; problem: "holds-nothing"; unheld: Unheld };

export function refusal(problem: PlainProblem): NotStarted {
  return { ok: false, problem };
}

/** The outcome of settling a payment. */
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
