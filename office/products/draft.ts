import { namesOfKinds } from "#app/catalog/product.ts";
import {
  type DetailName,
  detailWord,
  eachDetail,
  eachFlag,
  FLAGS,
  type FlagName,
} from "#app/catalog/product-fields.ts";
import { SIZES, sizeName } from "#app/catalog/sizes.ts";
import { dollarText, usdCents } from "#app/money/money.ts";
import type { OwnedProduct } from "#app/owner/catalog/product-view.server.ts";
import type { Kind, ProductImage, ProductKind } from "#db/types.ts";

/** A product as edited in the form, with numbers and times as typed text. Its conflicts are listed in this order. */
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
  ...eachDetail(() => ""),
};

/** The draft of a stored product. `at` is its time of publication, as text for the form. */
export function draftOf(product: OwnedProduct, at: string): Draft {
  const { title, color, description, kinds, images, details, hidden, publishAt } = product;
  return {
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
    ...eachDetail((name) => String(details[name] ?? "")),
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
  ...eachDetail(detailWord),
};

/** A field's value as text for a notice. */
export function wordsOf(name: DraftField, draft: Draft, kinds: readonly Kind[]): string {
  switch (name) {
    case "kinds":
      return namesOfKinds(kinds, draft.kinds).join(", ") || "none";
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
