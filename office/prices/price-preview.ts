import type { PriceRow } from "#app/owner/prices/price-change.server.ts";

/** What a change of normal prices would do. `rows` are the first of `count`; `typed` are the fields to save it. */
export type PricePreview = {
  typed: Record<string, string | undefined>;
  rows: PriceRow[];
  count: number;
  doubts: string[];
};
