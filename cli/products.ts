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
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { SPREADSHEET_MARK } from "#app/infra/document/csv.ts";
import { env } from "#app/infra/env.server.ts";
import { copyProduct } from "#app/owner/catalog/product-add.server.ts";
import type { EditDone } from "#app/owner/catalog/product-edit.server.ts";
import { type ProductPlan, planPrepared } from "#app/owner/catalog/product-plan.server.ts";
import { deleteProduct } from "#app/owner/catalog/product-save.server.ts";
import { productTable, readProductTable } from "#app/owner/catalog/product-table.server.ts";
import { importProducts, setHidden } from "#app/owner/catalog/products.server.ts";
import { momentOf, shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, type Hand, progress, type Result } from "./command.ts";
import { describePlan } from "./product-plan-text.ts";
import { readDocuments, readText } from "./read-file.ts";

export const products: Actions = {
  "products import": action({
    words: ["file"],
    options: { "with-stock": true, "dry-run": true },
    says: "adds and changes products from a table (.csv) or documents (.json), all or nothing; a change needs the id and the changed fields. --with-stock: changes stock, too; --dry-run: only shows what would change",
    changes: true,
    run: ({ words: { file }, options, ...hand }) =>
      importFile(hand, file, { withStock: options["with-stock"] ?? false, dryRun: options["dry-run"] ?? false }),
  }),
  "products export": action({
    words: ["[file]"],
    says: "exports all products as JSON, or as a table to FILE",
    changes: false,
    run: ({ db, words: { file } }) => exportProducts(db, file),
  }),
  "products hide": action({
    words: ["id"],
    says: "hides a product: it's no longer shown or sold, and its orders stay",
    changes: true,
    run: ({ words: { id }, ...hand }) => hide(hand, id, true),
  }),
  "products show": action({
    words: ["id"],
    options: { at: "TIME" },
    says: "shows a product and sells it, now or --at a time like 2026-11-30T09:00 in the shop's time zone",
    changes: true,
    run: ({ words: { id }, options: { at }, ...hand }) =>
      at === undefined ? hide(hand, id, false) : showAt(hand, id, at),
  }),
  "products copy": action({
    words: ["id"],
    says: "copies a product as a draft without stock",
    changes: true,
    run: async ({ db, by, words: { id } }) => told(await copyProduct(db, by, id, randomUUID())),
  }),
  "products delete": action({
    words: ["id"],
    says: "deletes a product for good, if it was never ordered and is in no cart",
    changes: true,
    run: async ({ db, by, words: { id } }) => told(await deleteProduct(db, by, id)),
  }),
};

async function importFile(
  { db, by, confirm }: Hand,
  file: string,
  { withStock, dryRun }: { withStock: boolean; dryRun: boolean },
): Promise<Result> {
  const { documents, ignored } = await readFileOf(file);
  const prepared = await prepareProducts(documents, path.dirname(file), {
    onProgress: progress("products", documents.length),
  });
  const { products, problems } = prepared;
  const shown = await planPrepared(db, prepared, { withStock });
  const wrong = [...problems.map(problemText), ...shown.problems.map(({ text }) => text)];
  if (wrong.length > 0)
    return { code: 2, data: { problems: wrong }, text: `Nothing was imported.\n${wrong.join("\n")}` };
  const text = describePlan(shown, ignored);
  if (dryRun) return { code: 0, data: { dryRun, ...planData(shown), ignored }, text: `${text}\nNothing was changed.` };
  if (shown.doubts.length > 0) await confirm(`${text}\nImport anyway?`);
  const done = await importProducts(db, by, products, { withStock, agreed: shown.doubts });
  return {
    code: 0,
    data: { imported: products.length, ...planData(done), ignored },
    text: `${describePlan({ ...done, doubts: [] }, ignored)}\nThe shop has ${products.length} products.`,
  };
}

function planData({ created, changed, unchanged, leftAlone, doubts }: ProductPlan) {
  const plain = ({ id, before, after }: (typeof created)[number]) => ({ id, before, after });
  return { created: created.map(plain), changed: changed.map(plain), unchanged, leftAlone, doubts };
}

/** The documents of a table or a .json file, and the names of the columns or fields that the import ignores. */
async function readFileOf(file: string): Promise<{ documents: Record<string, unknown>[]; ignored: string[] }> {
  if (!/\.(csv|tsv|txt)$/i.test(file)) {
    const documents = await readDocuments(file);
    const names = new Set(documents.flatMap((document) => Object.keys(document ?? {})));
    return { documents, ignored: [...names].filter((name) => !PRODUCT_FIELDS.includes(name)) };
  }
  const { rows, problems, ignored } = readProductTable(await readText(file));
  if (problems.length > 0)
    throw new BadInput(problems.map(({ row, reason }) => `${file}, row ${row}: ${reason}`).join("\n"));
  return { documents: rows.map(({ document }) => document), ignored };
}

async function hide({ db, by }: Hand, id: string, hidden: boolean): Promise<Result> {
  const known = await db.selectFrom("products").select("hidden").where("id", "=", id).executeTakeFirst();
  if (!known) return badInput(`There is no product '${id}'`);
  if (!(await setHidden(db, by, id, hidden))) return badInput(`${id} is already ${hidden ? "hidden" : "shown"}`);
  const text = hidden ? `${id} is hidden: it is no longer shown or sold.` : `${id} is shown and sold again.`;
  return { code: 0, data: { id, hidden }, text };
}

async function showAt({ db, by }: Hand, id: string, at: string): Promise<Result> {
  const moment = momentOf(at);
  if (!moment || moment <= new Date()) return badInput(`--at ${at}: give a time in the future, like 2026-11-30T09:00`);
  const time = shopTimeWithZone(moment);
  if (!(await setHidden(db, by, id, true, moment)))
    return badInput(`There is no product '${id}', or it already has that time`);
  return { code: 0, data: { id, publishAt: moment }, text: `${id} will be shown and sold from ${time}.` };
}

function told(done: EditDone): Result {
  if (done.ok) return { code: 0, data: { id: done.id }, text: `${done.id}: ${done.what}.` };
  return badInput("problem" in done ? done.problem : Object.values(done.problems).join("\n"));
}

async function exportProducts(db: Db, file?: string): Promise<Result> {
  const documents = await productDocuments(db, (image) => env.publicUrl.origin + pictureUrl(image, 1200, "jpg"));
  if (!file) return { code: 0, data: documents, text: JSON.stringify(documents, null, 2) };
  await writeFile(file, SPREADSHEET_MARK + productTable(documents));
  const count = documents.length;
  return { code: 0, data: { exported: count, file }, text: `${count} products exported to ${file}.` };
}
