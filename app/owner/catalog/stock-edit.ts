/** A size that sells and has so few left is nearly out. */
export const FEW = 3;

/** Why a number in stock is changed; whatever else it is stands in words. */
export const STOCK_REASONS = ["delivery", "count", "damage"] as const;

/** The most sizes that are saved at once. */
export const MOST_EDITS = 2000;

/**
 * A number that was typed for a size, and what was known then: `supplied` is all that was ever put into stock, which no sale changes. `key` names this
 * typing: sent twice, it is one.
 */
export type StockEdit = { id: string; size: string; supplied: number; onHand: number; typed: number; key: string };

/**
 * Why a size cannot be saved: somebody has changed its stock since (`by` and `at`, where it is known), it would be below what is put aside, or there is
 * no such size any more. `was` is what stood there when it was typed; the rest is as it is now.
 */
export type SizeProblem = {
  id: string;
  size: string;
  title: string;
  typed: number;
  was: number;
} & (
  | { why: "gone" }
  | { why: "held"; supplied: number; onHand: number; held: number }
  | { why: "changed"; supplied: number; onHand: number; held: number; by?: string; at?: Date }
);
