import type { UsdCents } from "#app/money/money.ts";
import type { ProductDetails, ProductKind } from "#db/types.ts";

// The description of a product's fields, from which the pages, documents, tables, histories and forms are made.

type Flag = {
  /** The name within a sentence. */
  name: string;
  /** The label of its box in the office's form. */
  label: string;
  /** The meaning, as the help of its column in a table. */
  help: string;
  /** The history's words for a product that gets the flag, and for one that loses it. */
  set: string;
  unset: string;
};
/** The flags of a product. Each has a column in the table of products. */
export const FLAGS = {
  finalSale: {
    name: "final sale",
    label: "Final sale: can’t come back",
    help: "it can’t be returned",
    set: "on final sale",
    unset: "no longer on final sale",
  },
} satisfies Record<string, Flag>;
export type FlagName = keyof typeof FLAGS;
export const FLAG_NAMES = Object.keys(FLAGS) as FlagName[];

/** A record with a value for each flag. */
export function eachFlag<Value>(value: (name: FlagName) => Value): Record<FlagName, Value> {
  return Object.fromEntries(FLAG_NAMES.map((name) => [name, value(name)])) as Record<FlagName, Value>;
}

export type DetailName = keyof ProductDetails;
export type Detail = {
  /** The name on the product's page, or in the office's form. */
  label: string;
  /** The name in forms, histories and notices, where it isn't the detail's own. */
  name?: string;
  /** A whole number instead of a text, and the most that it can be. */
  isNumber?: boolean;
  most?: number;
  /** What its text has to be. */
  form?: "hsCode" | "country";
  /** Not on the product's page: for the customs form of a parcel abroad. */
  isForCustoms?: boolean;
};
/** The details of a product: those on its page below the description, in display order, and those for customs. */
export const DETAILS: Record<DetailName, Detail> = {
  fabric: { label: "Fabric" },
  fit: { label: "Fit" },
  back: { label: "On the back" },
  care: { label: "Care" },
  origin: { label: "Origin" },
  weightGrams: {
    label: "Weight of one piece, in grams",
    name: "weight",
    isNumber: true,
    most: 30_000, // the heaviest parcel of the post
    isForCustoms: true,
  },
  hsCode: {
    label: "HS code",
    name: "HS code",
    form: "hsCode",
    isForCustoms: true,
  },
  originCountry: {
    label: "Country of origin",
    name: "country of origin",
    form: "country",
    isForCustoms: true,
  },
};
/** The most letters of a detail that is a text. */
export const MOST_LETTERS = 500;
export const DETAIL_NAMES = Object.keys(DETAILS) as DetailName[];
export const SHOWN_DETAILS = DETAIL_NAMES.filter((name) => !DETAILS[name].isForCustoms);
/** Those that are not on the product's page: the customs form of a parcel abroad has them. */
export const CUSTOMS_DETAILS = DETAIL_NAMES.filter((name) => DETAILS[name].isForCustoms);

/** A detail's name within a sentence. */
export const detailWord = (name: DetailName): string => DETAILS[name].name ?? name;

/** A record with a value for each detail. */
export function eachDetail<Value>(value: (name: DetailName) => Value): Record<DetailName, Value> {
  return Object.fromEntries(DETAIL_NAMES.map((name) => [name, value(name)])) as Record<DetailName, Value>;
}

/** The details without empty ones. */
export function filledDetails(details: Partial<Record<DetailName, string | number>>): ProductDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value)) as ProductDetails;
}

/** The fields that belong to the product as a whole, apart from its pictures. */
export type ProductFacts = Record<FlagName, boolean> & {
  title: string;
  color: string;
  description: string;
  priceCents: UsdCents;
  kinds: ProductKind[];
  details: ProductDetails;
};
