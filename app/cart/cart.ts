import { availableIn, type Product } from "#app/catalog/product.ts";
import { MOST_IN_STOCK } from "#app/catalog/sizes.ts";
import * as messages from "#app/messages.ts";
import { addCents, timesCents, type UsdCents, usdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";

/** The largest quantity of a line that the table cart_lines accepts. */
export const MOST_OF_A_LINE = MOST_IN_STOCK;
/** The most lines in an account's or a guest's cart: the whole cart has to be rendered, priced and paid for at once. */
export const MOST_LINES = 200;

/**
 * A line as the shopper sees it, with the current price and stock, and with what has changed since the line was added.
 */
export type CartLine = {
  id: string;
  title: string;
  color: string;
  size: string;
  quantity: number;
  priceCents: UsdCents;
  /** Whether `priceCents` is a sale price. `oldPriceCents`, if present, is the price shown struck through beside it. */
  isOnSale?: boolean;
  oldPriceCents?: UsdCents;
  image: ProductImage | null;
  addedAt: string;
  /** Units of this size that this shopper can buy; 0 if the size is sold out or the product is no longer sold. */
  availableQuantity: number;
  /**
   * The largest quantity that the line can have: the stock, or the owner's limit per size and order if that is lower.
   */
  maxQuantity: number;
  /**
   * The sizes among which the shopper can choose, in display order: those that can be bought, and the line's own.
   * Missing if there is no other one.
   */
  sizes?: SizeLimit[];
  /** Messages shown on the line, for example about a lower stock. */
  changes: string[];
  /** The current price before offers, if it has changed since the line was added. */
  newPriceCents?: UsdCents;
  /** Present only if offers changed the price: the price before offers, and the offers' names. */
  fullCents?: UsdCents;
  offerNames?: string[];
};
/** A size, with the units that this shopper can buy, and the owner's limit applied to them. */
export type SizeLimit = { size: string; availableQuantity: number; maxQuantity: number };
/** `offers` is missing if no offer runs and the shopper has typed no code. */
export type Cart = { version: number; lines: CartLine[]; offers?: CartOffers };

/** The effects of offers on a cart, besides the prices of its lines. */
export type CartOffers = {
  savedCents: UsdCents;
  /** The name of the offer that makes delivery free. `toFreeDelivery` is the sum that is missing for free delivery. */
  freeDelivery?: string;
  toFreeDelivery?: UsdCents;
  /** The code as it was typed, and why it does not count, as a message for the shopper. */
  code?: { code: string; offer?: string; refusal?: string };
  /** Whether the shop takes codes at the moment. */
  takesCodes: boolean;
};

type StoredLine = {
  productId: string;
  size: string;
  color: string;
  quantity: number;
  priceCents: number;
  addedAt: string;
};

/**
 * Joins a stored line with the current state of its product. `held` is the number of units reserved by the shopper's
 * own unpaid order, `most` the owner's limit per size and order.
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
  return {
    id: line.productId,
    title: product?.title ?? line.productId,
    color: line.color,
    size: line.size,
    quantity: Math.max(1, availableQuantity === 0 ? line.quantity : Math.min(line.quantity, maxQuantity)),
    priceCents,
    ...(product?.isOnSale && { isOnSale: true }),
    ...(product?.oldPriceCents && { oldPriceCents: product.oldPriceCents }),
    image: product?.images[0] ?? null,
    addedAt: line.addedAt,
    availableQuantity,
    maxQuantity,
    changes,
    ...(isSold && line.priceCents !== priceCents && { newPriceCents: priceCents }),
  };
}

/**
 * The sizes for the choice beside a line of `size`. `heldOf` returns the number of a size's units reserved by the
 * shopper's own unpaid order, `most` is the owner's limit per size and order.
 */
export function sizesBeside(
  size: string,
  product: Product | undefined,
  heldOf: (size: string) => number,
  most: number,
): Pick<CartLine, "sizes"> {
  if (!product || product.hidden) return {};
  const sizes = product.sizes
    .map(({ size: one, available }): SizeLimit => {
      const availableQuantity = available + heldOf(one);
      return { size: one, availableQuantity, maxQuantity: Math.min(availableQuantity, most) };
    })
    .filter((one) => one.size === size || one.maxQuantity > 0);
  return sizes.some((one) => one.size !== size) ? { sizes } : {};
}

/** The reason why a line cannot have more than `maxQuantity` units, as a message for the shopper. */
export function limitText({
  availableQuantity,
  maxQuantity,
}: {
  availableQuantity: number;
  maxQuantity: number;
}): string {
  return maxQuantity < availableQuantity ? messages.cartOther.mostOfASize(maxQuantity) : messages.cart.aboveStock;
}

/** The sum of all lines that can be bought. */
export function subtotal(cart: Cart): UsdCents {
  return addCents(...buyable(cart).map((line) => timesCents(line.priceCents, line.quantity)));
}

/** The lines with stock. */
export function buyable(cart: Cart): CartLine[] {
  return cart.lines.filter(({ availableQuantity }) => availableQuantity > 0);
}

/** The number of units in lines of a cart or order, such as the number in the link to the cart. */
export function countUnits(lines: readonly { quantity: number }[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

export function piecesText(count: number): string {
  return count === 1 ? "1 piece" : `${count} pieces`;
}

/**
 * The result of a write: the line's new state (quantity 0: removed), whether the stock or the owner's limit was too
 * small for all units, and the cart's new version and unit count.
 */
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

/**
 * Applies a write to the browser's copy of the cart. Undefined if the cart has to be loaded again, because a version is
 * missing in between, the line is unknown, or offers may change the prices of other lines. A line with a new price
 * loses the old one until the cart is loaded.
 */
export function afterWrite(cart: Cart, written: Written): Cart | undefined {
  const { id, size, color, version, quantity, priceCents, available: availableQuantity, maxQuantity } = written;
  if (version !== cart.version + 1 || cart.offers) return;
  if (quantity === 0) return { version, lines: cart.lines.filter((line) => line.id !== id || line.size !== size) };
  const changed = { quantity, priceCents, availableQuantity, maxQuantity, changes: [] };
  const isIt = (line: CartLine) => line.id === id && line.size === size && line.color === color;
  if (!cart.lines.some(isIt)) return;
  return {
    version,
    lines: cart.lines.map((line) => (isIt(line) ? { ...withoutOtherPrices(line, priceCents), ...changed } : line)),
  };
}

function withoutOtherPrices(
  { isOnSale, oldPriceCents, newPriceCents: _, ...line }: CartLine,
  priceCents: UsdCents,
): CartLine {
  return priceCents === line.priceCents ? { ...line, isOnSale, oldPriceCents } : line;
}
