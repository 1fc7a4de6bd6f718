import { z } from "zod";
import { kindsField } from "#app/catalog/kind-field.server.ts";
import { readMeasure } from "#app/catalog/size-guides/measure.ts";
import { SIZE_RANGE } from "#app/catalog/sizes.ts";
import { MOST_COLLECTIONS } from "#app/owner/collections/collection.ts";
import { readProductIds } from "#app/owner/prices/product-ids.ts";
import { falls, measure, name } from "#app/owner/size-guides/document.server.ts";
import {
  CM_RULE,
  inStoredOrder,
  isCentimetres,
  MOST_PRODUCTS,
  type SizeGuideWish,
  tableProblems,
} from "#app/owner/size-guides/size-guide.ts";
import type { SizeMeasure } from "#db/types.ts";
import { ALL_SIZES, COLUMNS, type Column, fieldOf, GRID_FIELDS, type GridField, isUsed } from "./grid.ts";

const gridTexts = Object.fromEntries(GRID_FIELDS.map((field) => [field, z.string().default("")])) as Record<
  GridField,
  z.ZodDefault<z.ZodString>
>;
/** The fields of a size guide's form. */
export const TYPED_FIELDS = {
  name,
  falls: falls.default(""),
  kinds: kindsField.default([]),
  collections: z.array(z.string().max(100)).max(MOST_COLLECTIONS).default([]),
  products: z.string().default(""),
  ...gridTexts,
};
type Typed = z.infer<z.ZodObject<typeof TYPED_FIELDS>>;
type Problems = Record<string, string>;
type Read = { wish: SizeGuideWish; problems?: undefined } | { wish?: undefined; problems: Problems };

/** The size guide of a posted form, or error messages by field. */
export function readTyped({ name, falls, kinds, collections, products, ...grid }: Typed): Read {
  const { ids, problem } = readProductIds(products);
  const { table, problems } = readGrid(grid);
  if (problem) problems.products = problem;
  if (ids.length > MOST_PRODUCTS) problems.products = `At most ${MOST_PRODUCTS} products`;
  if (Object.keys(problems).length > 0) return { problems };
  return { wish: inStoredOrder({ name, falls, kinds, collections, products: ids, ...table }) };
}

/** The form's table, and error messages by field. Empty columns and rows are left out; others must be complete. */
function readGrid(grid: Record<GridField, string>) {
  const problems: Problems = {};
  const columns = COLUMNS.filter((at) => isUsed(grid, at));
  const rows = ALL_SIZES.filter((size) => columns.some((at) => grid[fieldOf(size, at)].trim() !== ""));
  const table = {
    measures: columns.map((at) => readMeasureAt(grid, at, problems)),
    sizes: rows.map((size) => ({ size, cm: columns.map((at) => readCell(grid, fieldOf(size, at), problems)) })),
  };
  const [first = 0] = columns;
  if (columns.length === 0) problems["measure.0"] = "Type at least one measure";
  else if (rows.length === 0) problems[fieldOf("S", first)] = "Type the measure of at least one size";
  for (const { path, message } of tableProblems(table)) {
    const [part, at] = path;
    if (part === "measures") problems[fieldOf("measure", columns[Number(at)] ?? first)] ??= message;
    else problems[fieldOf("ONE", first)] ??= `One size, or those from ${SIZE_RANGE}`;
  }
  return { table, problems };
}

function readMeasureAt(grid: Record<GridField, string>, at: Column, problems: Problems): SizeMeasure {
  const read = measure.safeParse({ name: grid[fieldOf("measure", at)], meaning: grid[fieldOf("meaning", at)] });
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues)
    problems[fieldOf(path[0] === "meaning" ? "meaning" : "measure", at)] ??= message;
  return { name: "", meaning: "" };
}

function readCell(grid: Record<GridField, string>, field: GridField, problems: Problems): number {
  const value = readMeasure(grid[field], 1);
  if (value !== undefined && isCentimetres(value)) return value;
  problems[field] = grid[field].trim() === "" ? "Fill it in, or empty the whole size" : CM_RULE;
  return 0;
}
