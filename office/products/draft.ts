import { KINDS } from "#app/catalog/product.ts";
import { type DetailName, eachDetail, eachFlag, FLAGS, type FlagName } from "#app/catalog/product-fields.ts";
import { SIZES, sizeName } from "#app/catalog/sizes.ts";
import { dollarText, usdCents } from "#app/money/money.ts";
import type { OwnedProduct } from "#app/owner/catalog/product-view.server.ts";
import type { ProductImage, ProductKind } from "#db/types.ts";

/** A product as edited in the form, with numbers and times as typed text. */
export type Draft = Record<DetailName, string> &
  Record<FlagName, boolean> & {
    title: string;
    color: string;
    description: string;
    price: string;
    kinds: ProductKind[];
    images: ProductImage[];
    sizes: string[];
    /** The initial stock of new sizes. */
    pieces: Record<string, string>;
    /** `at` is a time in the shop's time zone. */
    shown: { state: "draft" | "published" | "at"; at: string };
  };
export type DraftField = keyof Draft;

export const EMPTY: Draft = {
  ...eachDetail(() => ""),
  title: "",
  color: "",
  description: "",
  price: "",
  kinds: [],
  ...eachFlag(() => false),
  images: [],
  sizes: [...SIZES],
  pieces: {},
  shown: { state: "draft", at: "" },
};

/** The draft of a stored product. `at` is its time of publication, as text for the form. */
export function draftOf(product: OwnedProduct, at: string): Draft {
  const { title, color, description, kinds, images, details, hidden, publishAt } = product;
  return {
    ...eachDetail((name) => String(details[name] ?? "")),
    title,
    color,
    description,
    price: dollarText(usdCents(product.priceCents)),
    kinds,
    ...eachFlag((name) => product[name]),
    images,
    sizes: product.sizes.map(({ size }) => size),
    pieces: {},
    shown: { state: publishAt ? "at" : hidden ? "draft" : "published", at },
  };
}

export const FIELD_NAMES: Record<DraftField, string> = {
  title: "title",
  color: "colour",
  description: "description",
  price: "price",
  kinds: "kinds",
  ...eachFlag((name) => FLAGS[name].name),
  images: "pictures",
  sizes: "sizes",
  pieces: "pieces of new sizes",
  shown: "place in the shop",
  ...eachDetail((name) => name),
};
export const FIELDS = Object.keys(FIELD_NAMES) as DraftField[];

export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** JSON with sorted keys, since the database returns an object's keys in another order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/**
 * Merges two members' changes of the same product. A field that only one has changed gets that value. `open` lists
 * fields that both have changed differently: they keep the own value until the member chooses. `taken` lists fields
 * with the other member's value.
 */
export function meet(
  base: Draft,
  mine: Draft,
  theirs: Draft,
): { merged: Draft; open: DraftField[]; taken: DraftField[] } {
  const taken = FIELDS.filter((name) => isSame(mine[name], base[name]) && !isSame(mine[name], theirs[name]));
  const open = FIELDS.filter(
    (name) => !isSame(mine[name], base[name]) && !isSame(theirs[name], base[name]) && !isSame(mine[name], theirs[name]),
  );
  return { merged: { ...mine, ...pick(theirs, taken) }, open, taken };
}

export function pick(draft: Draft, names: DraftField[]): Partial<Draft> {
  return Object.fromEntries(names.map((name) => [name, draft[name]]));
}

/** A field's value as text for a notice. */
export function wordsOf(name: DraftField, draft: Draft): string {
  switch (name) {
    case "kinds":
      return draft.kinds.map((kind) => KINDS[kind]).join(", ") || "none";
    case "images":
      return draft.images.length === 1 ? "1 picture" : `${draft.images.length} pictures`;
    case "sizes":
      return draft.sizes.map(sizeName).join(" ") || "none";
    case "pieces":
      return Object.entries(draft.pieces)
        .map(([size, pieces]) => `${sizeName(size)} ${pieces}`)
        .join(", ");
    case "shown":
      return (
        SHOWN_WORDS[draft.shown.state] + (draft.shown.state === "at" ? ` ${draft.shown.at.replace("T", " ")}` : "")
      );
    case "price":
      return `$${draft.price}`;
    default:
      return typeof draft[name] === "boolean" ? (draft[name] ? "yes" : "no") : draft[name] || "empty";
  }
}

const SHOWN_WORDS = { draft: "Draft", published: "Published", at: "From" };
