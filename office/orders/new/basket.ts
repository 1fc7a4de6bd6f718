import { typedText } from "#app/infra/text/typed-text.ts";
import { isSamePiece, readUnits, type Units } from "#app/orders/units.ts";
import { MOST_LINES } from "#app/owner/orders/links/limits.ts";

/** Parameters of the screen's URL. The URL holds the whole draft of the order, so that no JavaScript is needed. */
export const FOR = "for";
export const PIECE = "piece";
/** The parameter with the price of a size, in dollars as typed, that staff agree on with the customer. */
export const priceName = ({ productId, size }: Omit<Units, "quantity">) => `price:${productId}:${size}`;

/** The items in a URL, each size once. Invalid ones are left out. */
export function basketOf(params: URLSearchParams): Units[] {
  const basket: Units[] = [];
  for (const text of params.getAll(PIECE).slice(0, MOST_LINES)) {
    const units = readUnits(typedText(text));
    const same = units && basket.find((one) => isSamePiece(one, units));
    if (same) same.quantity += units.quantity;
    else if (units) basket.push(units);
  }
  return basket;
}

/** The query of the screen with another quantity of a size; 0 takes it out. */
export function withQuantity(params: URLSearchParams, { productId, size }: Omit<Units, "quantity">, quantity: number) {
  const next = new URLSearchParams(params);
  next.delete(PIECE);
  if (quantity === 0) next.delete(priceName({ productId, size }));
  const basket = basketOf(params);
  const others = basket.map((one) => (isSamePiece(one, { productId, size }) ? { ...one, quantity } : one));
  const isThere = basket.some((one) => isSamePiece(one, { productId, size }));
  for (const one of isThere ? others : [...basket, { productId, size, quantity }])
    if (one.quantity > 0) next.append(PIECE, textOf(one));
  return `?${next}`;
}

/** An item as the URL and the form hold it, such as eko-jersey:M:2. */
export const textOf = ({ productId, size, quantity }: Units) => `${productId}:${size}:${quantity}`;
