/** The issues that the owner must look at: money that fits no order or is stuck. */
export type PaymentIssueKind =
  | "unknown-reference"
  | "second-charge"
  | "out-of-stock"
  | "price-risen"
  | "too-late"
  | "wrong-amount"
  | "wrong-currency"
  | "wrong-mode"
  | "reversed"
  | "dispute"
  | "refund-failed";

/**
 * Whether the issue is resolved when all money has gone back. The owner closes the others: money taken back by the
 * bank, or money of an unknown payment.
 */
const ENDS_WITH_REFUND: Record<PaymentIssueKind, boolean> = {
  "unknown-reference": false,
  "second-charge": true,
  "out-of-stock": true,
  "price-risen": true,
  "too-late": true,
  "wrong-amount": true,
  "wrong-currency": true,
  "wrong-mode": true,
  reversed: false,
  dispute: false,
  "refund-failed": true,
};
export const PAYMENT_ISSUE_KINDS = Object.keys(ENDS_WITH_REFUND) as PaymentIssueKind[];
export const ENDED_BY_REFUND = PAYMENT_ISSUE_KINDS.filter((kind) => ENDS_WITH_REFUND[kind]);

/**
 * The issues in which the bank takes or may take the money back. An order that has not left waits until the owner has
 * resolved them.
 */
export const TAKEN_MONEY = ["dispute", "reversed"] as const satisfies PaymentIssueKind[];

export function isAboutTakenMoney(kind: PaymentIssueKind): boolean {
  return TAKEN_MONEY.some((one) => one === kind);
}

/**
 * Why money goes back: the payment cannot become an order, or the money was given back by the owner, by the bank or in
 * the provider's dashboard.
 */
export type RefundReason =
  | Exclude<PaymentIssueKind, "unknown-reference" | "dispute" | "refund-failed">
  | "returned"
  | "cancelled"
  | "provider";
