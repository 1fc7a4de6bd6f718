/** What a person must look at: money that fits no order, or does not move as it should. */
export type BreakKind =
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

/** The others (money taken back unasked, money that is nobody's) a person closes. */
export const ENDED_BY_REFUND = [
  "second-charge",
  "out-of-stock",
  "price-risen",
  "too-late",
  "wrong-amount",
  "wrong-currency",
  "wrong-mode",
  "refund-failed",
] satisfies BreakKind[];

/** Why money goes back: it cannot become an order, or the owner, the bank or somebody at the provider has it so. */
export type RefundReason =
  | Exclude<BreakKind, "unknown-reference" | "dispute" | "refund-failed">
  | "returned"
  | "cancelled"
  | "provider";
