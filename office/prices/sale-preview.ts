import type { SaleRow } from "#app/owner/prices/sale-items.ts";

/**
 * The preview of a plan of sale prices: the first of `count` products. `typed`: the fields to send to save the plan.
 */
export type SalePreview = {
  typed: Record<string, string | undefined>;
  rows: SaleRow[];
  count: number;
  withoutOld: number;
};
