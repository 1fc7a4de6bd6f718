import { countUnits } from "#app/cart/cart.ts";

/** A number of pieces of one size. */
export type Units = { productId: string; size: string; quantity: number };
export type Shortage = Units & { available: number };
/**
 * A shortage as the shopper sees it. `isLimit`: more are in stock, but the owner limits the pieces of a size per order.
 */
export type NamedShortage = Shortage & { title: string; isLimit?: boolean };

type Piece = Pick<Units, "productId" | "size">;

export function isSamePiece(one: Piece, other: Piece): boolean {
  return one.productId === other.productId && one.size === other.size;
}

/** How many of this piece the units contain. */
export function quantityOf(piece: Piece, units: readonly Units[]): number {
  return countUnits(units.filter((one) => isSamePiece(one, piece)));
}

/** Reads pieces written as ID:SIZE:N, by a person or a form. Undefined if the text has another shape. */
export function readUnits(text: string): Units | undefined {
  const [, productId, size, quantity] = /^([^:]+):([^:]+):([1-9]\d{0,3})$/.exec(text) ?? [];
  return productId && size ? { productId, size, quantity: Number(quantity) } : undefined;
}

/**
 * Lines that differ at most in their quantity become one. After a change of a size, two lines of it may differ only in
 * the price, which a packing slip does not name.
 */
export function mergedLines<Line extends { quantity: number }>(lines: readonly Line[]): Line[] {
  const alike = Map.groupBy(lines, (line) => JSON.stringify({ ...line, quantity: 0 }));
  return [...alike.values()].flatMap((group) => (group[0] ? [{ ...group[0], quantity: countUnits(group) }] : []));
}

/** What an order does not hold until it is paid. */
export type Unheld = "stock" | "stockAndOffers";
