/** What a person must look at: money that fits no order, or does not move as it should. */
export type BreakKind =
  | "unknown-reference"
  | "second-charge"
  | "out-of-stock"
  | "wrong-amount"
  | "wrong-currency"
  | "wrong-mode"
  | "reversed"
  | "dispute"
  | "refund-failed";
