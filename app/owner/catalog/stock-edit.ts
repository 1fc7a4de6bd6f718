/** A size with at most this many pieces is nearly sold out. */
export const FEW = 3;

/** The usual reasons for changing stock. Any other reason is free text. */
export const STOCK_REASONS = ["delivery", "count", "damage"] as const;

/** The most sizes that can be saved at once. */
export const MOST_EDITS = 2000;

/**
 * A number that somebody typed as a size's stock, and the stock that was shown then. `supplied` is the number of pieces
 * ever supplied, which no sale changes. `key` is an idempotency key: the same edit sent twice counts once.
 */
export type StockEdit = { id: string; size: string; supplied: number; onHand: number; typed: number; key: string };

/**
 * Why a size cannot be saved: somebody has changed its stock meanwhile (`by` and `at`, if known), the number is below
 * what is reserved, or the size no longer exists. `was` is the number that was shown to the editor; all others are
 * current.
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
