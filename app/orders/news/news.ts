import type { ProductImage } from "#db/types.ts";
import type { Step } from "../fulfilment/progress.ts";

/** An order whose money is on its way. Sums and times in words, as its shopper reads them. */
export type AwaitedOrder = {
  reference: string;
  number: string;
  sum: string;
  /** "today at 14:32". */
  started: string;
  /** Until when its pieces are put aside: "16:32"; null where they are not. */
  heldUntil: string | null;
  lookedAt: string;
};

/** A new order, as its shopper is greeted with it. */
export type NewSale = {
  number: string;
  reference: string;
  email: string;
  firstName: string;
  sum: string;
  /** "today at 14:36". */
  paid: string;
  steps: Step[];
  pictures: ProductImage[];
};

/** What the home page says to one shopper alone. */
export type News = { sale: NewSale | null; awaited: AwaitedOrder | null };
