import { availableIn, type Product } from "#app/catalog/product.ts";
import { MOST_IN_STOCK } from "#app/catalog/sizes.ts";
import * as messages from "#app/messages.ts";
import { formatUsd } from "#app/money/format.ts";
import { addCents, timesCents, type UsdCents, usdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";

/** The largest quantity of a line, as the table cart_lines takes it. */
export const MOST_OF_A_LINE = MOST_IN_STOCK;

/** A line as the shopper sees it: today's price, what can be bought now, and what has changed since it was added. */
export type CartLine = {
  id: string;
  title: string;
  color: string;
  size: string;
  quantity: number;
  priceCents: UsdCents;
  image: ProductImage | null;
  addedAt: string;
  /** Units of this size that this shopper can have; 0 when it is sold out or gone. */
  availableQuantity: number;
  /** The largest quantity that the line can have: the stock, or less where the owner allows less of a size in one order. */
  maxQuantity: number;
  /** What is said on the line, e.g. a new price; empty when nothing has changed. */
  changes: string[];
};
export type Cart = { version: number; lines: CartLine[] };

type StoredLine = {
  productId: string;
  size: string;
  color: string;
  quantity: number;
  priceCents: number;
  addedAt: string;
};

/**
 * Joins a stored line with its product as it is today; `held` units are reserved by the shopper's own live order, `most` units of a size can be bought
 * in one order.
 */
export function describeLine(line: StoredLine, product: Product | undefined, held: number, most: number): CartLine {
  const isSold = product && !product.hidden;
  const availableQuantity = isSold ? availableIn(product, line.size) + held : 0;
  const maxQuantity = Math.min(availableQuantity, most);
  const priceCents = product?.priceCents ?? usdCents(line.priceCents);
  const changes: string[] = [];
  if (!isSold) changes.push(messages.cartOther.noLongerSold);
  else if (availableQuantity === 0) changes.push(messages.cartOther.soldOut);
  else if (line.quantity > availableQuantity) changes.push(messages.cartOther.onlyLeft(availableQuantity));
  else if (line.quantity > maxQuantity) changes.push(messages.cartOther.mostOfASize(maxQuantity));
  if (isSold && line.priceCents !== priceCents) changes.push(messages.cartOther.newPrice(formatUsd(priceCents)));
  return {
    id: line.productId,
    title: product?.title ?? line.productId,
    color: line.color,
    size: line.size,
    quantity: Math.max(1, availableQuantity === 0 ? line.quantity : Math.min(line.quantity, maxQuantity)),
    priceCents,
    image: product?.images[0] ?? null,
    addedAt: line.addedAt,
    availableQuantity,
    maxQuantity,
    changes,
  };
}

/** Why a line cannot have more units than `maxQuantity`. */
export function limitText({
  availableQuantity,
  maxQuantity,
}: {
  availableQuantity: number;
  maxQuantity: number;
}): string {
  return maxQuantity < availableQuantity ? messages.cartOther.mostOfASize(maxQuantity) : messages.cart.aboveStock;
}

/** The sum of what can be bought. */
export function subtotal(cart: Cart): UsdCents {
  return addCents(...buyable(cart).map((line) => timesCents(line.priceCents, line.quantity)));
}

/** The lines of which something can be bought. */
export function buyable(cart: Cart): CartLine[] {
  return cart.lines.filter(({ availableQuantity }) => availableQuantity > 0);
}

/** The number on the cart: units, not lines. */
export function countUnits(lines: readonly { quantity: number }[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** What a write did: the line as it is now (quantity 0: gone), whether there was too little to add all, and the cart's new version and number. */
export type Written = {
  version: number;
  count: number;
  id: string;
  size: string;
  color: string;
  quantity: number;
  priceCents: UsdCents;
  available: number;
  maxQuantity: number;
  isCapped: boolean;
};

/** The cart after a write; undefined when it must be loaded anew, since something else has changed too or the line is not known. */
export function afterWrite(cart: Cart, written: Written): Cart | undefined {
  const { id, size, color, version, quantity, priceCents, available: availableQuantity, maxQuantity } = written;
  if (version !== cart.version + 1) return;
  if (quantity === 0) return { version, lines: cart.lines.filter((line) => line.id !== id || line.size !== size) };
  const changed = { quantity, priceCents, availableQuantity, maxQuantity, changes: [] };
  const isIt = (line: CartLine) => line.id === id && line.size === size && line.color === color;
  if (!cart.lines.some(isIt)) return;
  return { version, lines: cart.lines.map((line) => (isIt(line) ? { ...line, ...changed } : line)) };
}
