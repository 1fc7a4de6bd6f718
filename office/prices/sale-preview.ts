import type { SaleRow } from "#app/owner/prices/sale-items.ts";

/** What a plan of sale prices would do. `rows` are the first of `count` products; `typed` are the fields to save it. */
export type SalePreview = {
  typed: Record<string, string | undefined>;
  rows: SaleRow[];
  count: number;
  withoutOld: number;
};
