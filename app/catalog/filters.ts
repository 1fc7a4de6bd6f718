import { centsFromDollars, type UsdCents } from "#app/money/money.ts";
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
