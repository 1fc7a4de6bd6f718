import { ONE_SIZE, type SizeStock, variantText } from "#app/catalog/sizes.ts";
import type { Units } from "../units.ts";

/**
 * What is sent in exchange for pieces: the size, null for money, and the product if it is another colour of the model.
 */
export type Wanted = { newSize: string | null; newProductId?: string };

/**
 * A size that can be sent in exchange for pieces of its product. `insteadOf` and `color` are given if it is of another
 * colour of the model: the product whose pieces it replaces, and the name of its own colour.
 */
export type ExchangeSize = SizeStock & { productId: string; insteadOf?: string; color?: string };

type Piece = Omit<Units, "quantity">;

/** The sizes that can be sent for a piece. */
export function sizesFor(piece: Pick<Piece, "productId">, sizes: readonly ExchangeSize[]): ExchangeSize[] {
  return sizes.filter(({ productId, insteadOf = productId }) => insteadOf === piece.productId);
}

/** The size that is wanted for a piece, if it can be sent. */
export function wantedSize(piece: Piece & Wanted, sizes: readonly ExchangeSize[]): ExchangeSize | undefined {
  const { productId, newProductId = productId, newSize } = piece;
  return sizesFor(piece, sizes).find((one) => one.productId === newProductId && one.size === newSize);
}

/** The piece sent in exchange, as the words after "for". A product without sizes is exchanged for another one. */
export function newPieceText({ newSize, newColor }: { newSize: string | null; newColor?: string }): string {
  if (newColor) return variantText({ color: newColor, size: newSize ?? undefined });
  return newSize === ONE_SIZE ? "another one" : (newSize ?? "");
}

/** What is sent in exchange, in a sentence after "the": "other size". */
export function sentText(pieces: readonly Wanted[]): "other size" | "other colour" | "exchange" {
  const colors = pieces.filter(({ newProductId }) => newProductId !== undefined);
  if (colors.length === 0) return "other size";
  return colors.length === pieces.length ? "other colour" : "exchange";
}

/**
 * Reads a piece and what is sent for it, written by a person or a form as ID:SIZE:NEW, or ID:SIZE:OTHER-ID:NEW for
 * another colour. Undefined if the text has another shape.
 */
export function readExchange(text: string): (Piece & Wanted & { newSize: string }) | undefined {
  const [, productId, size, other, newSize] = /^([^:]+):([^:]+):(?:([^:]+):)?([^:]+)$/.exec(text) ?? [];
  if (!productId || !size || !newSize) return;
  return { productId, size, newSize, ...(other && other !== productId && { newProductId: other }) };
}
