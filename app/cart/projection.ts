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
  if (change.intent === "size") return withOtherSize(lines, change);
  if (change.intent === "remove") return lines.filter((line) => !isSame(line, change));
  const held = lines.find((line) => isSame(line, change));
  if (!held) return change.line ? [...lines, change.line] : lines;
  const wanted = change.intent === "add" ? held.quantity + change.quantity : change.quantity;
  const quantity = Math.min(wanted, held.maxQuantity);
  return lines.map((line) => (line === held ? { ...line, quantity } : line));
}

/** The units join the line of the other size, if there is one. The sum is capped, as on the server. */
function withOtherSize(lines: CartLine[], { id, size, to }: Change): CartLine[] {
  const old = lines.filter((line) => line.id === id && line.size === size);
  const [first] = old;
  const limit = first?.sizes?.find((one) => one.size === to);
  if (!first || !limit || size === to) return lines;
  const held = lines.find((line) => line.id === id && line.size === to);
  const wanted = old.reduce((sum, { quantity }) => sum + quantity, held?.quantity ?? 0);
  const moved = { ...(held ?? { ...first, ...limit, changes: [] }), quantity: Math.min(wanted, limit.maxQuantity) };
  const place = held ?? first;
  return lines.flatMap((line) => (line === place ? [moved] : old.includes(line) ? [] : [line]));
}

/**
 * The changes in a form that the next page can send again, whichever of them have arrived. If several changes of one
 * product include a change of the size, an addition or a quantity sent again would restore the line that has moved
 * away, and its units would be moved a second time. So the moves are repeated first, and then each line gets the
 * quantity that it has in `lines`, the shown cart. Without `lines`, only the moves are repeated.
 */
export function repeatable(changes: Change[], lines: CartLine[] | undefined): Change[] {
  const isMixed = ({ id }: Change) => {
    const own = changes.filter((change) => change.id === id);
    return own.length > 1 && own.some(({ intent }) => intent === "size");
  };
  const mixed = changes.filter(isMixed);
  const keys = mixed.flatMap(({ id, size, color, to = size }) => [size, to].map((size) => ({ id, size, color })));
  const isSameSize = (a: Omit<Key, "color">, b: Omit<Key, "color">) => a.id === b.id && a.size === b.size;
  const touched = keys.filter((key, at) => keys.findIndex((one) => isSameSize(one, key)) === at);
  const totals = touched.map((key): Change => {
    const line = lines?.find((one) => isSameSize(one, key));
    if (!line) return { ...key, intent: "remove", quantity: 0 };
    return { ...key, intent: "set", color: line.color, quantity: line.quantity, line };
  });
  return [
    ...changes.filter((change) => !isMixed(change)),
    ...mixed.filter(({ intent }) => intent === "size"),
    ...(lines ? totals : []),
  ];
}

/** Whether a change has no meaning once an earlier change of the size has failed: its line may not be there. */
export function needs(later: Change, earlier: Change): boolean {
  return earlier.intent === "size" && later.id === earlier.id && later.intent !== "add";
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
