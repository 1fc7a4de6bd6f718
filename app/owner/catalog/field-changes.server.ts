import { DETAIL_NAMES } from "#app/catalog/product-fields.ts";
import type { Fields } from "./product-plan.server.ts";

/** A field that an import changes. `before` is undefined if the product, or the size, is new. */
export type FieldChange = { name: string; before?: string; after: string };

/** What an import changes in a product, in words. */
export function fieldChanges(before: Fields | undefined, after: Fields): FieldChange[] {
  const { sizes, details, ...fields } = after;
  const changed = (Object.keys(fields) as (keyof typeof fields)[]).map((name) => ({
    name,
    before: before && shown(before[name]),
    after: shown(fields[name]),
  }));
  const changedDetails = DETAIL_NAMES.filter((name) => details && details[name] !== before?.details?.[name]).map(
    (name) => ({
      name,
      before: before && shown(before.details?.[name] ?? ""),
      after: shown(details?.[name] ?? ""),
    }),
  );
  const stock = Object.entries(sizes ?? {}).map(([size, units]) => ({
    name: `stock ${size}`,
    before: before?.sizes?.[size] === undefined ? undefined : shown(before.sizes[size]),
    after: shown(units),
  }));
  return [...changed, ...changedDetails, ...stock];
}

function shown(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : Array.isArray(value) ? `[${value.join(", ")}]` : String(value);
}
