/** Pieces of one size. */
export type Units = { productId: string; size: string; quantity: number };
export type Shortage = Units & { available: number };
/** A shortage as the shopper is told of it. */
export type NamedShortage = Shortage & { title: string };
