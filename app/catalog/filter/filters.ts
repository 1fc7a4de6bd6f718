import { KIND_NAMES } from "#app/catalog/product.ts";
import { SIZES } from "#app/catalog/sizes.ts";
import { centsFromDollars, dollarText, type UsdCents } from "#app/money/money.ts";
import type { ProductKind } from "#db/types.ts";

export const SORTS = {
  newest: "Newest",
  "price-up": "Price: low to high",
  "price-down": "Price: high to low",
} as const;
export type Sort = keyof typeof SORTS;

function isSort(value: string | undefined): value is Sort {
  return value !== undefined && Object.hasOwn(SORTS, value);
}

/** What the shop page shows; all of it lives in the URL. */
export type Filters = {
  kind?: ProductKind;
  size?: string;
  color?: string;
  minCents?: UsdCents;
  maxCents?: UsdCents;
  available: boolean;
  search?: string;
  sort: Sort;
  /** How many pages are shown, one below the other. */
  page: number;
  /** What was typed as a price and is none. */
  wrong: { min?: string; max?: string };
};

/** The page number is read from two digits at most. */
export const MOST_PAGES = 99;
/** No more products are counted: in a large shop that would take longer than all the rest. */
export const MOST_COUNTED = 1200;

/** `total` counts to one beyond the most. */
export function countText(total: number): string {
  return total > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString("en-US")}+` : total.toLocaleString("en-US");
}

export function productsText(total: number): string {
  return `${countText(total)} ${total === 1 ? "product" : "products"}`;
}

/** Reads the URL's query; a value that makes no sense filters nothing and is no error. */
export function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim().slice(0, 100) || undefined;
  const [size, sort, min, max] = [text("size"), text("sort"), text("min"), text("max")];
  const [minCents, maxCents] = [centsFromDollars(min ?? ""), centsFromDollars(max ?? "")];
  return {
    kind: KIND_NAMES.find((one) => one === text("kind")),
    size: SIZES.find((one) => one === size),
    color: text("color"),
    minCents,
    maxCents,
    available: query.has("available"),
    search: text("q"),
    sort: isSort(sort) ? sort : "newest",
    page: /^[1-9]\d?$/.test(text("page") ?? "") ? Number(text("page")) : 1,
    wrong: { min: minCents === undefined ? min : undefined, max: maxCents === undefined ? max : undefined },
  };
}

/** The fields of the filter form as they stand, by name; empty where nothing is filtered. */
export function filterFields({ kind, search, size, color, minCents, maxCents, available, sort, wrong }: Filters) {
  const price = (cents: UsdCents | undefined, typed = "") => (cents === undefined ? typed : dollarText(cents));
  return {
    kind: kind ?? "",
    q: search ?? "",
    size: size ?? "",
    color: color ?? "",
    min: price(minCents, wrong.min),
    max: price(maxCents, wrong.max),
    available: available ? "on" : "",
    sort: sort === "newest" ? "" : sort,
  };
}
export type FilterName = keyof ReturnType<typeof filterFields>;

/** The query of these filters with some of them changed: without what is empty, from the first page on unless `page` says otherwise. */
export function filterQuery(filters: Filters, changed: Partial<Record<FilterName | "page", string>> = {}): string {
  const fields = Object.entries({ ...filterFields(filters), ...changed }).filter(([, value]) => value);
  return fields.length > 0 ? `?${new URLSearchParams(fields)}` : "";
}
