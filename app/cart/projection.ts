import { isNumber, isObject, isOptional, isText } from "#app/infra/guards.ts";
import * as messages from "#app/messages.ts";
import { centsFromDollars, usdCents } from "#app/money/money.ts";
import { isLine } from "./answer.ts";
import { type Cart, type CartLine, MOST_OF_A_LINE } from "./cart.ts";
import { type GuestItem, guestItem } from "./guest-item.ts";
import type { Line } from "./merge.ts";

const INTENTS = ["add", "set", "remove", "size"] as const;
type Intent = (typeof INTENTS)[number];

/** A change of one line by the shopper that the server has not confirmed yet. */
export type Change = {
  intent: Intent;
  id: string;
  size: string;
  color: string;
  quantity: number;
  /** The restored line, shown until the response arrives. */
  line?: CartLine;
  /** The idempotency key of an addition. */
  key?: string;
  /** The other size of a change of the size. */
  to?: string;
};

export const isChange = isObject<Change>({
  intent: (value): value is Intent => INTENTS.some((intent) => intent === value),
  id: isText,
  size: isText,
  color: isText,
  quantity: isNumber,
  line: isOptional(isLine),
  key: isOptional(isText),
  to: isOptional(isText),
});

type Key = { id: string; size: string; color: string };
export const isSame = (a: Key, b: Key) => a.id === b.id && a.size === b.size && a.color === b.color;

/** The server's cart with these changes applied, as the server is expected to return it. */
export function project(cart: Cart, changes: Change[]): Cart {
  return { ...cart, lines: changes.reduce(projectOne, cart.lines) };
}

function projectOne(lines: CartLine[], change: Change): CartLine[] {
  if (change.intent === "size") return lines; // shown once the server has answered with the whole cart
  if (change.intent === "remove") return lines.filter((line) => !isSame(line, change));
  const held = lines.find((line) => isSame(line, change));
  if (!held) return change.line ? [...lines, change.line] : lines;
  const wanted = change.intent === "add" ? held.quantity + change.quantity : change.quantity;
  const quantity = Math.min(wanted, held.maxQuantity);
  return lines.map((line) => (line === held ? { ...line, quantity } : line));
}

/** Whether a change replaces an earlier one that is not sent yet, so that five presses on plus become one request. */
export function replaces(later: Change, earlier: Change): boolean {
  return isSame(later, earlier) && (later.intent === "set" || later.intent === "remove") && earlier.intent === "set";
}

/** A guest's cart: prices and stock from the server, lines and quantities from local storage. */
export function guestView(cart: Cart, items: GuestItem[]): Cart {
  const lines = items.flatMap((item) => {
    const line = cart.lines.find((one) => isSame(one, keyOf(item)));
    return line ? [{ ...line, quantity: capped(item.quantity, line) }] : [];
  });
  return { ...cart, lines };
}

/**
 * A guest's cart from local storage alone, with the prices at the time of adding. Shown while the browser is offline.
 */
export function storedView(items: GuestItem[]): Cart {
  const most = { availableQuantity: MOST_OF_A_LINE, maxQuantity: MOST_OF_A_LINE };
  const lines = items.map(({ id, title, color, selectedSize: size, quantity, price, addedAt }) => ({
    ...{ id, title, color, size, quantity, addedAt, image: null, changes: [], ...most },
    priceCents: centsFromDollars(price) ?? usdCents(0),
  }));
  return { version: 0, lines };
}

/**
 * The cart with a message on each line for which the stock was too low at a merge. The message disappears when the
 * line's quantity changes.
 */
export function withMerge(cart: Cart, capped: readonly Line[]): Cart {
  const isCapped = ({ id, size, quantity }: CartLine) =>
    capped.some((line) => line.productId === id && line.size === size && line.quantity === quantity);
  const lines = cart.lines.map((line) =>
    isCapped(line) ? { ...line, changes: [...line.changes, messages.cartOther.mergedUpTo(line.quantity)] } : line,
  );
  return { ...cart, lines };
}

/** A guest's items, with quantities capped at the stock that the server has sent. */
export function withinStock(items: GuestItem[], cart: Cart): GuestItem[] {
  return items.map((item) => {
    const line = cart.lines.find((one) => isSame(one, keyOf(item)));
    return line ? { ...item, quantity: capped(item.quantity, line) } : item;
  });
}

/** A line is never capped to 0: a sold-out line stays and is marked as such. */
function capped(quantity: number, { maxQuantity }: CartLine): number {
  return maxQuantity > 0 ? Math.min(quantity, maxQuantity) : quantity;
}

/**
 * A guest's items with a line restored at its place in time order. If the items contain the line already, the
 * quantities are added up, capped at the stock.
 */
export function putBack(items: GuestItem[], line: CartLine, image: string): GuestItem[] {
  const held = items.find((item) => isSame(keyOf(item), line));
  const quantity = Math.min((held?.quantity ?? 0) + line.quantity, line.maxQuantity || line.quantity);
  const back = guestItem(line, line.size, quantity, image, line.addedAt);
  return [...items.filter((item) => item !== held), back].sort((a, b) => a.addedAt.localeCompare(b.addedAt));
}

export function keyOf(item: GuestItem): Key {
  return { id: item.id, size: item.selectedSize, color: item.color };
}
