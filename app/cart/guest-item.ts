import { PLACEHOLDER_IMAGE } from "#app/catalog/product.ts";
import { storableText } from "#app/infra/storable-text.ts";
import { centsFromDollars, dollars, type UsdCents } from "#app/money/money.ts";
import { MOST_OF_A_LINE } from "./cart.ts";
import { isSameLine, type Line } from "./merge.ts";

/** One line of the guest cart in local storage `cart`: exactly the specification's fields; price in dollars. */
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

const MAX_LINES = 100;
const MERGE_ID_LENGTH = 36; // of a UUID

/** Whether all of these lines would be read again. */
export function fits(items: GuestItem[]): boolean {
  return items.length <= MAX_LINES;
}

/** Reads a guest cart as local storage keeps it, whoever wrote it: what can be understood is kept, nothing throws. */
export function readGuestCart(text: string | null): GuestItem[] {
  try {
    return readGuestItems(JSON.parse(text ?? "[]"));
  } catch {
    return []; // an old or foreign value
  }
}

/** The same for parsed JSON. */
export function readGuestItems(value: unknown): GuestItem[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, MAX_LINES)
    .map(readItem)
    .filter((item) => item !== undefined);
}

/** The guest cart in a sign-in's form, without what cannot be read. */
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
    addedAt: Number.isNaN(Date.parse(text("addedAt"))) ? "1970-01-01T00:00:00.000Z" : text("addedAt"),
  };
}

export function toLine(item: GuestItem): Line {
  return { productId: item.id, size: item.selectedSize, color: item.color, quantity: item.quantity };
}

/** The items less these lines. */
export function withoutLines(items: GuestItem[], lines: Line[]): GuestItem[] {
  return items.flatMap((item) => {
    const less = lines.filter((line) => isSameLine(line, toLine(item))).reduce((sum, line) => sum + line.quantity, 0);
    return item.quantity > less ? [{ ...item, quantity: item.quantity - less }] : [];
  });
}

export function guestItem(
  product: { id: string; title: string; color: string; priceCents: UsdCents },
  size: string,
  quantity: number,
  image: string,
  addedAt: string,
): GuestItem {
  const { id, title, color } = product;
  return {
    id,
    title,
    price: dollars(product.priceCents),
    color,
    sizes: size,
    selectedSize: size,
    quantity,
    images: image,
    name: title,
    addedAt,
  };
}
