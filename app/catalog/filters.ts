import { centsFromDollars, dollarText, type UsdCents } from "#app/money/money.ts";
import { SIZES } from "./sizes.ts";

export const SORTS = {
  newest: "Newest",
  "price-up": "Price: low to high",
  "price-down": "Price: high to low",
} as const;
export type Sort = keyof typeof SORTS;

/** What the shop page shows; all of it lives in the URL. */
export type Filters = {
  size?: string;
  color?: string;
  minCents?: UsdCents;
  maxCents?: UsdCents;
  available: boolean;
  search?: string;
  sort: Sort;
};

/** Reads the URL; what makes no sense is left out, never an error. */
export function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim().slice(0, 100) || undefined;
  const size = text("size");
  const sort = text("sort");
  return {
    size: SIZES.find((one) => one === size),
    color: text("color"),
    minCents: centsFromDollars(text("min") ?? ""),
    maxCents: centsFromDollars(text("max") ?? ""),
    available: query.has("available"),
    search: text("q"),
    sort: sort && sort in SORTS ? (sort as Sort) : "newest",
  };
}

/** The query that `readFilters` reads as these filters, always spelt the same. */
export function writeFilters(filters: Filters): URLSearchParams {
  const query = new URLSearchParams();
  if (filters.search) query.set("q", filters.search);
  if (filters.size) query.set("size", filters.size);
  if (filters.color) query.set("color", filters.color);
  if (filters.minCents !== undefined) query.set("min", dollarText(filters.minCents));
  if (filters.maxCents !== undefined) query.set("max", dollarText(filters.maxCents));
  if (filters.available) query.set("available", "on");
  if (filters.sort !== "newest") query.set("sort", filters.sort);
  return query;
}
