import { isNumber, isObject, isOptional, isText } from "#app/infra/guards.ts";
import { isLine } from "./answer.ts";
import type { Cart, CartLine } from "./cart.ts";
import { type GuestItem, guestItem } from "./guest-item.ts";

const INTENTS = ["add", "set", "remove"] as const;
type Intent = (typeof INTENTS)[number];

/** A change of one line that the shopper has made and the server has not answered yet. */
export type Change = {
  intent: Intent;
  id: string;
  size: string;
  color: string;
  quantity: number;
  /** Shows a restored line until the answer has come. */
  line?: CartLine;
  /** The idempotency key of an addition. */
  key?: string;
};

export const isChange = isObject<Change>({
  intent: (value): value is Intent => INTENTS.some((intent) => intent === value),
  id: isText,
  size: isText,
  color: isText,
  quantity: isNumber,
  line: isOptional(isLine),
  key: isOptional(isText),
});

type Key = { id: string; size: string; color: string };
export const isSame = (a: Key, b: Key) => a.id === b.id && a.size === b.size && a.color === b.color;

/** The server's cart as it will be once these changes have been made. */
export function project(cart: Cart, changes: Change[]): Cart {
  return { ...cart, lines: changes.reduce(projectOne, cart.lines) };
}

function projectOne(lines: CartLine[], change: Change): CartLine[] {
  if (change.intent === "remove") return lines.filter((line) => !isSame(line, change));
  const held = lines.find((line) => isSame(line, change));
  if (!held) return change.line ? [...lines, change.line] : lines;
  const wanted = change.intent === "add" ? held.quantity + change.quantity : change.quantity;
  const quantity = Math.min(wanted, held.maxQuantity);
  return lines.map((line) => (line === held ? { ...line, quantity } : line));
}

/** Whether a change takes the place of an earlier one that has not been sent: five taps on plus are one request. */
export function replaces(later: Change, earlier: Change): boolean {
  return isSame(later, earlier) && later.intent !== "add" && earlier.intent === "set";
}

/** A guest's cart: the server's prices and stock, with the lines and quantities that are in local storage now. */
export function guestView(cart: Cart, items: GuestItem[]): Cart {
  const lines = items.flatMap((item) => {
    const line = cart.lines.find((one) => isSame(one, keyOf(item)));
    return line ? [{ ...line, quantity: capped(item.quantity, line) }] : [];
  });
  return { ...cart, lines };
}

/** A guest's items with no more of a line than the stock that the server has sent. */
export function withinStock(items: GuestItem[], cart: Cart): GuestItem[] {
  return items.map((item) => {
    const line = cart.lines.find((one) => isSame(one, keyOf(item)));
    return line ? { ...item, quantity: capped(item.quantity, line) } : item;
  });
}

/** No line is capped to 0: a sold-out line stays and says so. */
function capped(quantity: number, { maxQuantity }: CartLine): number {
  return maxQuantity > 0 ? Math.min(quantity, maxQuantity) : quantity;
}

/** A guest's items with a line put back at the place that its time gives it; where they have the line already, quantities add up to the stock. */
export function putBack(items: GuestItem[], line: CartLine, image: string): GuestItem[] {
  const held = items.find((item) => isSame(keyOf(item), line));
  const quantity = Math.min((held?.quantity ?? 0) + line.quantity, line.maxQuantity || line.quantity);
  const back = guestItem(line, line.size, quantity, image, line.addedAt);
  return [...items.filter((item) => item !== held), back].sort((a, b) => a.addedAt.localeCompare(b.addedAt));
}

export function keyOf(item: GuestItem): Key {
  return { id: item.id, size: item.selectedSize, color: item.color };
}
