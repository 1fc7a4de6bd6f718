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
