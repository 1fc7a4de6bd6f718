import { countUnits } from "#app/cart/cart.ts";

/** Pieces of one size. */
export type Units = { productId: string; size: string; quantity: number };
export type Shortage = Units & { available: number };
/** A shortage as the shopper is told of it. `isLimit`: there is more, but the owner allows no more of a size in one order. */
export type NamedShortage = Shortage & { title: string; isLimit?: boolean };

type Piece = Pick<Units, "productId" | "size">;

export function isSamePiece(one: Piece, other: Piece): boolean {
  return one.productId === other.productId && one.size === other.size;
}

/** How many of a piece these are. */
export function quantityOf(piece: Piece, units: readonly Units[]): number {
  return countUnits(units.filter((one) => isSamePiece(one, piece)));
}

/** Pieces as a person types and a form sends them, ID:SIZE:N; undefined where a text names none. */
export function readUnits(text: string): Units | undefined {
  const [, productId, size, quantity] = /^([^:]+):([^:]+):([1-9]\d{0,3})$/.exec(text) ?? [];
  return productId && size ? { productId, size, quantity: Number(quantity) } : undefined;
}
