/** Pieces of one size. */
export type Units = { productId: string; size: string; quantity: number };
export type Shortage = Units & { available: number };
/** A shortage as the shopper is told of it. `isLimit`: there is more, but the owner allows no more of a size in one order. */
export type NamedShortage = Shortage & { title: string; isLimit?: boolean };
