import { type Currency, isCurrency } from "#app/catalog/currency/country.ts";
import { SIZES } from "#app/catalog/sizes.ts";
import { centsFromDollars, dollarText, koboFromNaira, usdCents } from "#app/money/money.ts";
import { FAMILY_NAMES, type Family } from "./colors.ts";

export const SORTS = {
  newest: "Newest",
  "price-up": "Price: low to high",
  "price-down": "Price: high to low",
} as const;
export type Sort = keyof typeof SORTS;

function isSort(value: string | undefined): value is Sort {
  return value !== undefined && Object.hasOwn(SORTS, value);
}

/** The filters of a list of products. The URL holds all of them. */
export type Filters = {
  size?: string;
  colors: Family[];
  /** The currency of `min` and `max`. */
  currency: Currency;
  /** In US cents or kobo. */
  min?: number;
  max?: number;
  available: boolean;
  onSale: boolean;
  search?: string;
  sort: Sort;
  /** The last page to show. The earlier pages of its list are shown above it. */
  page: number;
  /** Texts that were entered as a price but are not valid. */
  wrong: { min?: string; max?: string };
};

/** The URL's page number has at most two digits. */
export const MOST_PAGES = 99;
/** The most products to count: in a large shop, counting more would take longer than the rest of the query. */
export const MOST_COUNTED = 1200;

/** The number as text. `total` stops at `MOST_COUNTED` + 1, which is shown as "1,200+". */
export function countText(total: number): string {
  return total > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString("en-US")}+` : total.toLocaleString("en-US");
}

export function productsText(total: number): string {
  return `${countText(total)} ${total === 1 ? "product" : "products"}`;
}

/** Reads the filters from the URL's query. An invalid value is ignored. */
export function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim().slice(0, 100) || undefined;
  const [size, sort, named] = [text("size"), text("sort"), text("currency")];
  const currency = isCurrency(named) ? named : "USD";
  const price = currency === "NGN" ? koboFromNaira : centsFromDollars;
  const [from, to] = [text("min"), text("max")];
  const [min, max] = [price(from ?? ""), price(to ?? "")];
  const colors = query.getAll("color").join(" ").toLowerCase().split(" "); // a form without script sends one by one
  return {
    size: SIZES.find((one) => one === size),
    colors: FAMILY_NAMES.filter((family) => colors.includes(family)),
    currency,
    min,
    max,
    available: query.has("available"),
    onSale: query.has("sale"),
    search: text("q"),
    sort: isSort(sort) ? sort : "newest",
    page: /^[1-9]\d?$/.test(text("page") ?? "") ? Number(text("page")) : 1,
    wrong: { min: min === undefined ? from : undefined, max: max === undefined ? to : undefined },
  };
}

/** A price in cents or kobo as text: 9000000 becomes "90000", 4999 becomes "49.99". */
export function priceText(amount: number): string {
  return dollarText(usdCents(amount)).replace(/\.00$/, "");
}

/** Like `priceText`, with separators: "90,000". */
export function priceShown(amount: number): string {
  return priceText(amount).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** The values of the filter form by field name. Empty for filters that are not set. */
export function filterFields({ search, size, colors, currency, min, max, available, onSale, sort, wrong }: Filters) {
  const price = (amount: number | undefined, typed = "") => (amount === undefined ? typed : priceText(amount));
  return {
    q: search ?? "",
    size: size ?? "",
    color: colors.join(" "),
    min: price(min, wrong.min),
    max: price(max, wrong.max),
    currency: currency === "USD" ? "" : currency,
    available: available ? "on" : "",
    sale: onSale ? "on" : "",
    sort: sort === "newest" ? "" : sort,
  };
}
export type FilterName = keyof ReturnType<typeof filterFields>;

/**
 * The URL query of these filters with some of them changed. Empty fields are omitted, and the page is the first unless
 * `changed` has another one.
 */
export function filterQuery(filters: Filters, changed: Partial<Record<FilterName | "page", string>> = {}): string {
  const fields = { ...filterFields(filters), ...changed };
  if (!fields.min && !fields.max) fields.currency = "";
  const filled = Object.entries(fields).filter(([, value]) => value);
  return filled.length > 0 ? `?${new URLSearchParams(filled)}` : "";
}
