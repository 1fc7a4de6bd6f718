import { sql } from "kysely";
import { type PreparedProduct, prepareProducts } from "#app/catalog/documents/product.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import type { ProductImage } from "#db/types.ts";
import { type ProductPlan, planProducts } from "./product-plan.server.ts";
import { placeOf, readProductTable, type TableProblem, type TableRow } from "./product-table.server.ts";

/** The most rows of a table that are imported at once. */
const MOST_ROWS = 50_000;

/** What would come of a table. `products` and `plan` are those of the rows without a problem; `badRows` counts the others. */
export type ImportPreview = {
  products: PreparedProduct[];
  plan: ProductPlan;
  problems: TableProblem[];
  badRows: number;
  rows: number;
  ignored: string[];
  withStock: boolean;
};

type Options = { withStock: boolean; onProgress?: (done: number, all: number) => void };

/** What would come of a table of products. Pictures that it names are fetched and kept; no product is changed. */
export async function previewImport(on: Db, text: string, { withStock, onProgress }: Options): Promise<ImportPreview> {
  const { header, rows, ignored, problems } = readProductTable(text);
  const isTooLong = rows.length > MOST_ROWS;
  if (isTooLong)
    problems.push({ line: 1, reason: `there are ${rows.length} rows, and ${MOST_ROWS} at most can come at once` });
  const wrong = (line: number, id: string, field: string, reason: string) =>
    problems.push({ line, id, reason, ...placeOf(field, header, line) });

  const found = isTooLong ? [] : rows;
  const linesOf = Map.groupBy(found, idOf);
  for (const [id, same] of linesOf) {
    const lines = same.map(({ line }) => line);
    if (id && same.length > 1)
      for (const line of lines)
        wrong(line, id, "id", `the id is there ${same.length} times: on the lines ${lines.join(", ")}`);
  }
  const readable = found.filter((row) => idOf(row) === "" || linesOf.get(idOf(row))?.length === 1);
  const prepared = await prepareProducts(
    readable.map(({ document }) => document),
    undefined,
    { pictures: await picturesInUse(on), onProgress: (done) => onProgress?.(done, readable.length) },
  );
  for (const { number, id, field, reason } of prepared.problems)
    wrong(readable[number - 1]?.line ?? 0, id, field || "id", reason);

  const lineOf = (id: string) => linesOf.get(id)?.[0]?.line ?? 0;
  const withoutBad = () => {
    const bad = new Set(problems.map(({ line }) => line));
    return prepared.products.filter(({ id }) => !bad.has(lineOf(id)));
  };
  const first = await planProducts(on, withoutBad(), { withStock });
  for (const { id, field, text: reason } of first.problems) wrong(lineOf(id), id, field, reason);
  const products = withoutBad();
  const plan = first.problems.length > 0 ? await planProducts(on, products, { withStock }) : first;
  problems.sort((a, b) => a.line - b.line);
  const badRows = new Set(problems.map(({ line }) => line)).size;
  return { products, plan, problems, badRows, rows: rows.length, ignored, withStock };
}

const idOf = ({ document }: TableRow) => String(document.id ?? "").trim();

/** The pictures that products show already, by their hashes: they need not be measured again. */
async function picturesInUse(on: Db): Promise<Map<string, ProductImage>> {
  const { rows } = await sql<{ image: ProductImage }>`
    select distinct on (image ->> 'hash') image from products, jsonb_array_elements(images) image`.execute(on);
  return new Map(rows.map(({ image }) => [image.hash, image]));
}
