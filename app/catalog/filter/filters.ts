import { type Currency, isCurrency } from "#app/catalog/currency/country.ts";
import { KIND_NAMES } from "#app/catalog/product.ts";
import { SIZES } from "#app/catalog/sizes.ts";
import { centsFromDollars, dollarText, usdCents } from "#app/money/money.ts";
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
  /** That of the prices below. */
  currency: Currency;
  /** US cents or kobo. */
  min?: number;
  max?: number;
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
  const [size, sort, currency] = [text("size"), text("sort"), text("currency")];
  const [from, to] = [text("min"), text("max")];
  const [min, max] = [centsFromDollars(from ?? ""), centsFromDollars(to ?? "")]; // hundredths are hundredths
  return {
    kind: KIND_NAMES.find((one) => one === text("kind")),
    size: SIZES.find((one) => one === size),
    color: text("color"),
    currency: isCurrency(currency) ? currency : "USD",
    min,
    max,
    available: query.has("available"),
    search: text("q"),
    sort: isSort(sort) ? sort : "newest",
    page: /^[1-9]\d?$/.test(text("page") ?? "") ? Number(text("page")) : 1,
    wrong: { min: min === undefined ? from : undefined, max: max === undefined ? to : undefined },
  };
}

/** 9000000 -> "90000", 4999 -> "49.99". */
export function priceText(amount: number): string {
  return dollarText(usdCents(amount)).replace(/\.00$/, "");
}

/** The fields of the filter form as they stand, by name; empty where nothing is filtered. */
export function filterFields({ kind, search, size, color, currency, min, max, available, sort, wrong }: Filters) {
  const price = (amount: number | undefined, typed = "") => (amount === undefined ? typed : priceText(amount));
  return {
    kind: kind ?? "",
    q: search ?? "",
    size: size ?? "",
    color: color ?? "",
    min: price(min, wrong.min),
    max: price(max, wrong.max),
    currency: currency === "USD" ? "" : currency,
    available: available ? "on" : "",
    sort: sort === "newest" ? "" : sort,
  };
}
export type FilterName = keyof ReturnType<typeof filterFields>;

/** The query of these filters with some of them changed: without what is empty, from the first page on unless `page` says otherwise. */
export function filterQuery(filters: Filters, changed: Partial<Record<FilterName | "page", string>> = {}): string {
  const fields = { ...filterFields(filters), ...changed };
  if (!fields.min && !fields.max) fields.currency = "";
  const filled = Object.entries(fields).filter(([, value]) => value);
  return filled.length > 0 ? `?${new URLSearchParams(filled)}` : "";
}
