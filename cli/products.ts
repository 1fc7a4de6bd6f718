import { writeFile } from "node:fs/promises";
import path from "node:path";
import {
  PRODUCT_FIELDS,
  prepareProducts,
  problemText,
  productDocuments,
} from "#app/catalog/documents/product.server.ts";
import { pictureUrl } from "#app/catalog/product.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { planProducts } from "#app/owner/catalog/product-plan.server.ts";
import { COLUMNS, fromCells, productTable } from "#app/owner/catalog/product-table.server.ts";
import { importProducts, setHidden } from "#app/owner/catalog/products.server.ts";
import { type Actions, action, badInput, type Hand, progress, type Result } from "./command.ts";
import { describePlan } from "./product-plan-text.ts";
import { readDocuments } from "./read-file.ts";

export const products: Actions = {
  "products import": action({
    words: ["file"],
    options: { "with-stock": true, "dry-run": true },
    says: "adds and changes products, from a table (.csv) or documents (.json): all of the file or nothing; a change needs the id and what changes. What is in stock is changed only --with-stock; --dry-run shows what would change",
    changes: true,
    run: ({ words: { file }, options, ...hand }) =>
      importFile(hand, file, { withStock: options["with-stock"] ?? false, dryRun: options["dry-run"] ?? false }),
  }),
  "products export": action({
    words: ["[file]"],
    says: "all products as JSON, or as a table into FILE",
    changes: false,
    run: ({ db, words: { file } }) => exportProducts(db, file),
  }),
  "products hide": action({
    words: ["id"],
    says: "it is no longer shown or sold; its orders keep it",
    changes: true,
    run: ({ words: { id }, ...hand }) => hide(hand, id, true),
  }),
  "products show": action({
    words: ["id"],
    says: "it is shown and sold again",
    changes: true,
    run: ({ words: { id }, ...hand }) => hide(hand, id, false),
  }),
};

async function importFile(
  { db, by, confirm }: Hand,
  file: string,
  { withStock, dryRun }: { withStock: boolean; dryRun: boolean },
): Promise<Result> {
  const rows = await readDocuments(file);
  const isTable = file.endsWith(".csv");
  const { products, problems } = await prepareProducts(isTable ? rows.map(fromCells) : rows, path.dirname(file), {
    onProgress: progress("products", rows.length),
  });
  const shown = await planProducts(db, products, { withStock });
  const wrong = [...problems.map(problemText), ...shown.problems.map(({ text }) => text)];
  if (wrong.length > 0)
    return { code: 2, data: { problems: wrong }, text: `Nothing was imported.\n${wrong.join("\n")}` };
  const ignored = ignoredNames(rows, isTable ? COLUMNS : PRODUCT_FIELDS);
  const text = describePlan(shown, ignored);
  if (dryRun) return { code: 0, data: { dryRun, ...planData(shown), ignored }, text: `${text}\nNothing was changed.` };
  if (shown.doubts.length > 0) await confirm(`${text}\nImport it as it is?`);
  const done = await importProducts(db, by, products, { withStock, agreed: shown.doubts });
  return {
    code: 0,
    data: { imported: products.length, ...planData(done), ignored },
    text: `${describePlan({ ...done, doubts: [] }, ignored)}\n${products.length} products are in the shop.`,
  };
}

function planData({ created, changed, unchanged, leftAlone, doubts }: Awaited<ReturnType<typeof planProducts>>) {
  const plain = ({ id, before, after }: (typeof created)[number]) => ({ id, before, after });
  return { created: created.map(plain), changed: changed.map(plain), unchanged, leftAlone, doubts };
}

/** Names of columns or fields that nothing is read from. */
function ignoredNames(rows: Record<string, unknown>[], known: string[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row ?? {})))].filter((name) => !known.includes(name));
}

async function hide({ db, by }: Hand, id: string, hidden: boolean): Promise<Result> {
  const known = await db.selectFrom("products").select("hidden").where("id", "=", id).executeTakeFirst();
  if (!known) return badInput(`There is no product '${id}'`);
  if (!(await setHidden(db, by, id, hidden))) return badInput(`${id} is ${hidden ? "hidden" : "shown"} already`);
  const text = hidden ? `${id} is hidden: it is no longer shown or sold.` : `${id} is shown and sold again.`;
  return { code: 0, data: { id, hidden }, text };
}

async function exportProducts(db: Db, file?: string): Promise<Result> {
  const documents = await productDocuments(db, (image) => env.publicUrl.origin + pictureUrl(image, 1200, "jpg"));
  if (!file) return { code: 0, data: documents, text: JSON.stringify(documents, null, 2) };
  await writeFile(file, productTable(documents));
  const count = documents.length;
  return { code: 0, data: { exported: count, file }, text: `${count} products are in ${file}.` };
}
