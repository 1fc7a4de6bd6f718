import { randomUUID } from "node:crypto";
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
import { copyProduct } from "#app/owner/catalog/product-add.server.ts";
import type { EditDone } from "#app/owner/catalog/product-edit.server.ts";
import { planProducts } from "#app/owner/catalog/product-plan.server.ts";
import { deleteProduct } from "#app/owner/catalog/product-save.server.ts";
import { COLUMNS, fromCells, productTable } from "#app/owner/catalog/product-table.server.ts";
import { importProducts, setHidden } from "#app/owner/catalog/products.server.ts";
import { momentOf, shopTimeWithZone } from "#app/owner/shop-time.server.ts";
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
    options: { at: "TIME" },
    says: "it is shown and sold, at once or --at a time like 2026-11-30T09:00 in the shop's time zone",
    changes: true,
    run: ({ words: { id }, options: { at }, ...hand }) =>
      at === undefined ? hide(hand, id, false) : showAt(hand, id, at),
  }),
  "products copy": action({
    words: ["id"],
    says: "another one like it, as a draft without stock",
    changes: true,
    run: async ({ db, by, words: { id } }) => told(await copyProduct(db, by, id, randomUUID())),
  }),
  "products delete": action({
    words: ["id"],
    says: "takes out for good what was never ordered and lies in no cart",
    changes: true,
    run: async ({ db, by, words: { id } }) => told(await deleteProduct(db, by, id)),
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

async function showAt({ db, by }: Hand, id: string, at: string): Promise<Result> {
  const moment = momentOf(at);
  if (!moment || moment <= new Date()) return badInput(`--at ${at}: a time to come, like 2026-11-30T09:00`);
  const time = shopTimeWithZone(moment);
  if (!(await setHidden(db, by, id, true, moment)))
    return badInput(`There is no product '${id}', or that is its time already`);
  return { code: 0, data: { id, publishAt: moment }, text: `${id} is shown and sold from ${time} on.` };
}

function told(done: EditDone): Result {
  if (done.ok) return { code: 0, data: { id: done.id }, text: `${done.id}: ${done.what}.` };
  return badInput("problem" in done ? done.problem : Object.values(done.problems).join("\n"));
}

async function exportProducts(db: Db, file?: string): Promise<Result> {
  const documents = await productDocuments(db, (image) => env.publicUrl.origin + pictureUrl(image, 1200, "jpg"));
  if (!file) return { code: 0, data: documents, text: JSON.stringify(documents, null, 2) };
  await writeFile(file, productTable(documents));
  const count = documents.length;
  return { code: 0, data: { exported: count, file }, text: `${count} products are in ${file}.` };
}
