import { KINDS } from "#app/catalog/product.ts";
import { SIZES } from "#app/catalog/sizes.ts";
import { dollarText, usdCents } from "#app/money/money.ts";
import type { OwnedProduct } from "#app/owner/catalog/product-view.server.ts";
import type { ProductDetail, ProductImage, ProductKind } from "#db/types.ts";

/** A product as it stands in the form: numbers and times as they are typed. */
export type Draft = Record<ProductDetail, string> & {
  title: string;
  color: string;
  description: string;
  price: string;
  kinds: ProductKind[];
  finalSale: boolean;
  images: ProductImage[];
  sizes: string[];
  /** To be put into stock of sizes that it has not had yet. */
  pieces: Record<string, string>;
  /** `at` is read in the shop's time zone. */
  shown: { state: "draft" | "published" | "at"; at: string };
};
export type DraftField = keyof Draft;

const NO_DETAILS = { fabric: "", fit: "", back: "", care: "", origin: "" };

export const EMPTY: Draft = {
  ...NO_DETAILS,
  title: "",
  color: "",
  description: "",
  price: "",
  kinds: [],
  finalSale: false,
  images: [],
  sizes: [...SIZES],
  pieces: {},
  shown: { state: "draft", at: "" },
};

/** `at`: when it is shown by itself, as it is typed. */
export function draftOf(product: OwnedProduct, at: string): Draft {
  const { title, color, description, kinds, finalSale, images, details, hidden, publishAt } = product;
  return {
    ...NO_DETAILS,
    ...details,
    title,
    color,
    description,
    price: dollarText(usdCents(product.priceCents)),
    kinds,
    finalSale,
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
  finalSale: "final sale",
  images: "pictures",
  sizes: "sizes",
  pieces: "pieces of new sizes",
  shown: "place in the shop",
  fabric: "fabric",
  fit: "fit",
  back: "back",
  care: "care",
  origin: "origin",
};
export const FIELDS = Object.keys(FIELD_NAMES) as DraftField[];

export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** The database hands an object's names out in an order of its own. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/**
 * What comes of two who changed the same product: a field that only one has changed is as they have it. `open`: both have, each in another way, and
 * somebody must choose; until then it is as it is here.
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

/** A field's value in words. */
export function wordsOf(name: DraftField, draft: Draft): string {
  switch (name) {
    case "kinds":
      return draft.kinds.map((kind) => KINDS[kind]).join(", ") || "none";
    case "finalSale":
      return draft.finalSale ? "yes" : "no";
    case "images":
      return draft.images.length === 1 ? "1 picture" : `${draft.images.length} pictures`;
    case "sizes":
      return draft.sizes.join(" ") || "none";
    case "pieces":
      return Object.entries(draft.pieces)
        .map(([size, pieces]) => `${size} ${pieces}`)
        .join(", ");
    case "shown":
      return (
        SHOWN_WORDS[draft.shown.state] + (draft.shown.state === "at" ? ` ${draft.shown.at.replace("T", " ")}` : "")
      );
    case "price":
      return `$${draft.price}`;
    default:
      return draft[name] || "empty";
  }
}

const SHOWN_WORDS = { draft: "Draft", published: "Published", at: "From" };
