import { ONE_SIZE, SIZES } from "#app/catalog/sizes.ts";
import type { MOST_MEASURES } from "#app/owner/size-guides/size-guide.ts";
import type { StoredSizeGuide } from "#app/owner/size-guides/size-guides.server.ts";

/** The columns of the form's table, each with the fields of one measure. */
export const COLUMNS = [0, 1, 2, 3, 4, 5, 6, 7] as const satisfies { length: typeof MOST_MEASURES };
export const ALL_SIZES = [...SIZES, ONE_SIZE] as const;
const PARTS = ["measure", "meaning", ...ALL_SIZES] as const;

export type Column = (typeof COLUMNS)[number];
/** A part of a measure, which is a field: its name, its meaning, or its value for a size. */
type Part = (typeof PARTS)[number];
/** The name of a field of the table. */
export type GridField = `${Part}.${Column}`;

export const fieldOf = (part: Part, at: Column): GridField => `${part}.${at}`;
const fieldsOf = (at: Column) => PARTS.map((part) => fieldOf(part, at));
export const GRID_FIELDS = COLUMNS.flatMap(fieldsOf);

/** Whether anything is typed in a column. */
export function isUsed(values: Record<string, string>, at: Column): boolean {
  return fieldsOf(at).some((field) => (values[field] ?? "").trim() !== "");
}

/** A stored guide as the texts of the form. */
export function gridValues(guide: StoredSizeGuide): Record<string, string> {
  const { name, falls, kinds, collections, products, measures, sizes } = guide;
  return {
    ...{ name, falls, kinds: kinds.join("\n"), collections: collections.join("\n"), products: products.join("\n") },
    ...Object.fromEntries(
      measures.flatMap((measure, at): [string, string][] => [
        [`measure.${at}`, measure.name],
        [`meaning.${at}`, measure.meaning],
        ...sizes.map(({ size, cm }): [string, string] => [`${size}.${at}`, String(cm[at] ?? "")]),
      ]),
    ),
  };
}
