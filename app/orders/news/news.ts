import type { ProductImage } from "#db/types.ts";
import type { Step } from "../fulfilment/progress.ts";

/** An order with a pending transfer. Sums and times are in words, as the shopper reads them. */
export type AwaitedOrder = {
  reference: string;
  number: string;
  sum: string;
  /** Whether somebody else pays it, by the shopper's link. */
  byPayer: boolean;
  /** "today at 14:32". */
  started: string;
  /** Until when its pieces are reserved: "16:32". Null if they are not. */
  heldUntil: string | null;
  /** When the provider was last asked about it: "14:40". */
  lookedAt: string;
};

/** A new order, as the greeting on the home page shows it. */
export type NewSale = {
  /** Thanks until the order is packed or a part of it is refunded, then the title of its stage. */
  title: string;
  number: string;
  reference: string;
  /** The address to which the receipt has just been sent. Null once there are no thanks. */
  email: string | null;
  sum: string;
  /** "today at 14:36". */
  paid: string;
  steps: Step[];
  pictures: ProductImage[];
};

/** The home page's news for one shopper. */
export type News = { sale: NewSale | null; awaited: AwaitedOrder | null };
