import type { PriceRow } from "#app/owner/prices/price-change.server.ts";

/**
 * The preview of a change of normal prices: the first of `count` rows. `typed`: the fields to send to save the change.
 */
export type PricePreview = {
  typed: Record<string, string | undefined>;
  rows: PriceRow[];
  count: number;
  doubts: string[];
};
