import { sql } from "kysely";
import {
  ID_TWICE,
  type Prepared,
  type PreparedProduct,
  prepareProducts,
} from "#app/catalog/documents/product.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { fold } from "#app/infra/text/fold.ts";
import { someOf } from "#app/infra/text/some-of.ts";
import type { ProductImage } from "#db/types.ts";
import type { FileCurrency } from "./foreign/currency.ts";
import { type ProductPlan, planPrepared, planProducts } from "./product-plan.server.ts";
import { type ProductTable, placeOf, readProductTable } from "./product-table.server.ts";
import type { TableProblem, TableRow } from "./table-row.ts";

/** The most rows of a table that are imported at once. */
const MOST_ROWS = 50_000;
/** If several rows share an id, each row's problem names at most this many of them. */
const MOST_NAMED = 10;

/**
 * The preview of an import. `products` and `plan` cover the rows without a problem; `badRows` is the number of the
 * others. `foreign` is about a file of another shop; `sizes` is the number of sizes in it.
 */
export type ImportPreview = {
  products: PreparedProduct[];
  plan: ProductPlan;
  problems: TableProblem[];
  badRows: number;
  rows: number;
  ignored: string[];
  withStock: boolean;
  foreign?: NonNullable<ProductTable["foreign"]> & { sizes: number };
};

type Options = { withStock: boolean; currency?: FileCurrency; onProgress?: (done: number, all: number) => void };

/**
 * Previews the import of a table of products. The pictures that it names are fetched and stored, but no product is
 * changed. `currency`: of the prices in another shop's file.
 */
export async function previewImport(
  on: Db,
  text: string,
  { withStock, currency, onProgress }: Options,
): Promise<ImportPreview> {
  const { header, rows, ignored, problems, foreign } = readProductTable(text, currency);
  const isTooLong = rows.length > MOST_ROWS;
  if (isTooLong)
    problems.push({ row: 1, reason: `there are ${rows.length} rows, and ${MOST_ROWS} at most can come at once` });
  const found = isTooLong ? [] : rows;
  const bad = new Set<TableRow>();
  const rowOf = (number: number) => found[number - 1] ?? { row: 0, document: {} };
  const wrong = (row: TableRow, id: string, field: string, reason: string) => {
    bad.add(row);
    problems.push({ id, reason, ...placeOf(field, header, row) });
  };

  await keepIds(on, found);
  const prepared = await prepareProducts(
    found.map(({ document }) => document),
    undefined,
    { pictures: await picturesInUse(on), onProgress: (done) => onProgress?.(done, found.length) },
  );
  markUncounted(prepared, found);
  for (const { id, rows: all } of repeated(found)) {
    const where = all.map(({ row }) => String(row));
    const reason = `the id is there ${all.length} times: in the rows ${someOf(where, { most: MOST_NAMED })}`;
    for (const row of all) wrong(row, id, "id", reason);
  }
  for (const { number, id, field, reason } of prepared.problems)
    if (reason !== ID_TWICE) wrong(rowOf(number), id, field, reason);
  const all = await planPrepared(on, prepared, { withStock });
  for (const { number, id, field, text: reason } of all.problems) wrong(rowOf(number), id, field, reason);
  problems.sort((a, b) => a.row - b.row);

  const products = prepared.products.filter(({ number }) => !bad.has(rowOf(number)));
  const plan = bad.size > 0 ? await planProducts(on, products, { withStock }) : all;
  const badRows = new Set(problems.map(({ row }) => row)).size;
  const sizes = rows.reduce((sum, { document }) => sum + Object.keys(document.sizes ?? {}).length, 0);
  return {
    products,
    plan,
    problems,
    badRows,
    rows: rows.length,
    ignored,
    withStock,
    foreign: foreign && { ...foreign, sizes },
  };
}

/**
 * Gives each colour of another shop's file the id that it has here. A colour that was alone there has the model's id,
 * one among several an id of its own, and colours come and go between two files.
 */
export async function keepIds(on: Db, rows: TableRow[]): Promise<void> {
  const ids = rows.flatMap((row) => (row.otherId ? [idOf(row), row.otherId] : []));
  if (ids.length === 0) return;
  const known = await on
    .selectFrom("products")
    .select(["id", "color"])
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
  const colors = new Map(known.map(({ id, color }) => [id, fold(color)]));
  const taken = new Set(rows.map(idOf));
  for (const row of rows) {
    const { otherId = "", document } = row;
    const isHere = (id: string) => colors.get(id) === fold(String(document.color ?? ""));
    if (taken.has(otherId) || isHere(idOf(row)) || !isHere(otherId)) continue;
    document.id = otherId;
    taken.add(otherId);
  }
}

/** Marks the sizes whose stock the rows of the products do not know. */
export function markUncounted({ products, refused }: Prepared, rows: TableRow[]): void {
  for (const product of [...products, ...refused]) product.uncounted = rows[product.number - 1]?.uncounted;
}

/** Ids that several rows share, with those rows. */
function repeated(rows: TableRow[]): { id: string; rows: TableRow[] }[] {
  return [...Map.groupBy(rows, idOf)]
    .filter(([id, same]) => id !== "" && same.length > 1)
    .map(([id, rows]) => ({ id, rows }));
}

const idOf = ({ document }: TableRow) => String(document.id ?? "").trim();

/** The pictures of all products by hash. They are measured already. */
async function picturesInUse(on: Db): Promise<Map<string, ProductImage>> {
  const { rows } = await sql<{ image: ProductImage }>`
    select distinct on (image ->> 'hash') image from products, jsonb_array_elements(images) image`.execute(on);
  return new Map(rows.map(({ image }) => [image.hash, image]));
}
