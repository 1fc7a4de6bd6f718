import { PLACEHOLDER_IMAGE } from "#app/catalog/product.ts";
import { storableText } from "#app/infra/text/storable-text.ts";
import { centsFromDollars, dollars, type UsdCents } from "#app/money/money.ts";
import { MOST_LINES, MOST_OF_A_LINE } from "./cart.ts";
import { isSameLine, type Line } from "./merge.ts";

/**
 * One line of the guest cart in local storage `cart`: exactly the fields of the specification. The price is in dollars.
 */
export type GuestItem = {
  id: string;
  title: string;
  price: number;
  color: string;
  sizes: string;
  selectedSize: string;
  quantity: number;
  images: string;
  name: string;
  addedAt: string;
};

export { PLACEHOLDER_IMAGE };

const UNKNOWN_TIME = "1970-01-01T00:00:00.000Z";
const MERGE_ID_LENGTH = 36; // of a UUID

/** Whether `readGuestItems` would read all of these items, and cut none off. */
export function fits(items: GuestItem[]): boolean {
  return items.length <= MOST_LINES;
}

/** Parses a guest cart from local storage, which anybody can write: readable items are kept, and nothing throws. */
export function readGuestCart(text: string | null): GuestItem[] {
  try {
    return readGuestItems(JSON.parse(text ?? "[]"));
  } catch {
    return []; // an old value, or one of another program
  }
}

/** Like `readGuestCart`, for parsed JSON. */
export function readGuestItems(value: unknown): GuestItem[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, MOST_LINES)
    .map(readItem)
    .filter((item) => item !== undefined);
}

/**
 * The items as the browser sends them: without titles and pictures, which the server knows, since a form may have at
 * most 64 KB.
 */
export function slimItems(items: readonly GuestItem[]): object[] {
  return items.map(({ id, selectedSize, color, quantity, price, addedAt }) => ({
    id,
    selectedSize,
    color,
    quantity,
    price,
    addedAt,
  }));
}

/** The time when an item was added, in ms; the current time if it is unknown. */
export function addedTime(addedAt: string = UNKNOWN_TIME): number {
  return addedAt === UNKNOWN_TIME ? Date.now() : Math.min(Date.parse(addedAt), Date.now());
}

/** The guest cart from a sign-in form's fields, without unreadable items. */
export function readGuestCartFields({ guestCart = "", mergeId = "" }: { guestCart?: string; mergeId?: string }) {
  const items = readGuestCart(guestCart);
  return {
    guestCart: items.length > 0 ? JSON.stringify(items) : "",
    mergeId: storableText(mergeId.slice(0, MERGE_ID_LENGTH)),
  };
}

function readItem(value: unknown): GuestItem | undefined {
  if (typeof value !== "object" || value === null) return;
  const item = new Map<string, unknown>(Object.entries(value));
  const text = (name: string) => {
    const given = item.get(name);
    return typeof given === "string" ? storableText(given.slice(0, 200)) : "";
  };
  const id = text("id");
  const size = text("selectedSize") || text("sizes");
  const quantity = Math.floor(Number(item.get("quantity")));
  if (!id || !size || !(quantity >= 1)) return;
  const price = item.get("price");
  const cents = centsFromDollars(typeof price === "number" || typeof price === "string" ? price : "");
  const title = text("title") || text("name");
  return {
    id,
    title,
    price: cents === undefined ? 0 : dollars(cents),
    color: text("color"),
    sizes: size,
    selectedSize: size,
    quantity: Math.min(quantity, MOST_OF_A_LINE),
    images: text("images") || PLACEHOLDER_IMAGE,
    name: text("name") || title,
    addedAt: Number.isNaN(Date.parse(text("addedAt"))) ? UNKNOWN_TIME : text("addedAt"),
  };
}

export function toLine(item: GuestItem): Line {
  return { productId: item.id, size: item.selectedSize, color: item.color, quantity: item.quantity };
}

/** The items minus the quantities of `lines`. */
export function withoutLines(items: GuestItem[], lines: Line[]): GuestItem[] {
  return items.flatMap((item) => {
    const less = lines.filter((line) => isSameLine(line, toLine(item))).reduce((sum, line) => sum + line.quantity, 0);
    return item.quantity > less ? [{ ...item, quantity: item.quantity - less }] : [];
  });
}

export function guestItem(
  product: { id: string; title: string; color: string; priceCents: UsdCents; fullCents?: UsdCents },
  size: string,
  quantity: number,
  image: string,
  addedAt: string,
): GuestItem {
  const { id, title, color } = product;
  return {
    id,
    title,
    price: dollars(product.fullCents ?? product.priceCents), // before offers, which belong to the cart as a whole
    color,
    sizes: size,
    selectedSize: size,
    quantity,
    images: image,
    name: title,
    addedAt,
  };
}
