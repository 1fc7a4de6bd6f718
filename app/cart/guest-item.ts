import { PLACEHOLDER_IMAGE } from "#app/catalog/product.ts";
import { storableText } from "#app/infra/storable-text.ts";
import { centsFromDollars, dollars, type UsdCents } from "#app/money/money.ts";
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
const MAX_QUANTITY = 999;
const MERGE_ID_LENGTH = 36; // of a UUID

/** Reads what lies in local storage, whoever wrote it: what can be understood is kept, nothing throws. */
export function readGuestCart(text: string | null): GuestItem[] {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "[]");
  } catch {
    return []; // not ours: an old or foreign value
  }
  return readGuestItems(value);
}

/** The same of what has been read as JSON already. */
export function readGuestItems(value: unknown): GuestItem[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, MAX_LINES)
    .map(readItem)
    .filter((item) => item !== undefined);
}

/** What a sign-in's form brings along, without what would not be read. */
export function readBroughtCart({ guestCart = "", mergeId = "" }: { guestCart?: string; mergeId?: string }) {
  const items = readGuestCart(guestCart);
  return {
    guestCart: items.length > 0 ? JSON.stringify(items) : "",
    mergeId: storableText(mergeId.slice(0, MERGE_ID_LENGTH)),
  };
}

function readItem(value: unknown): GuestItem | undefined {
  if (typeof value !== "object" || value === null) return;
  const item = value as Record<string, unknown>;
  const text = (name: string) =>
    typeof item[name] === "string" ? storableText((item[name] as string).slice(0, 200)) : "";
  const id = text("id");
  const size = text("selectedSize") || text("sizes");
  const quantity = Math.floor(Number(item.quantity));
  if (!id || !size || !(quantity >= 1)) return;
  const cents = centsFromDollars(typeof item.price === "number" || typeof item.price === "string" ? item.price : "");
  const title = text("title") || text("name");
  return {
    id,
    title,
    price: cents === undefined ? 0 : dollars(cents),
    color: text("color"),
    sizes: size,
    selectedSize: size,
    quantity: Math.min(quantity, MAX_QUANTITY),
    images: text("images") || PLACEHOLDER_IMAGE,
    name: text("name") || title,
    addedAt: Number.isNaN(Date.parse(text("addedAt"))) ? "1970-01-01T00:00:00.000Z" : text("addedAt"),
  };
}

export function toLine(item: GuestItem): Line {
  return { productId: item.id, size: item.selectedSize, color: item.color, quantity: item.quantity };
}

/** What is left of the items when these lines are taken out. */
export function withoutLines(items: GuestItem[], lines: Line[]): GuestItem[] {
  return items.flatMap((item) => {
    const taken = lines.filter((line) => isSameLine(line, toLine(item))).reduce((sum, line) => sum + line.quantity, 0);
    return item.quantity > taken ? [{ ...item, quantity: item.quantity - taken }] : [];
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
