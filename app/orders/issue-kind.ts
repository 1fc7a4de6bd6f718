/** What a person must look at: money that fits no order, or does not move as it should. */
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

/** Whether the issue ends when the money has gone back; the others (money taken back unasked, money of nobody) a person closes. */
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

/** Why money goes back: it cannot become an order, or the owner, the bank or somebody at the provider decided so. */
export type RefundReason =
  | Exclude<PaymentIssueKind, "unknown-reference" | "dispute" | "refund-failed">
  | "returned"
  | "cancelled"
  | "provider";
