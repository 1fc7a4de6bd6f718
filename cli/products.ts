import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import {
  PRODUCT_FIELDS,
  type ProductProblem,
  prepareProducts,
  problemText,
  productDocuments,
} from "#app/catalog/documents/product.server.ts";
import { pictureUrl } from "#app/catalog/product.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { SPREADSHEET_MARK } from "#app/infra/document/csv.ts";
import { env } from "#app/infra/env.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { readCurrency } from "#app/owner/catalog/foreign/currency.ts";
import { FOREIGN_SHOPS, foreignTable, isForeignShop } from "#app/owner/catalog/foreign/foreign.ts";
import { copyProduct } from "#app/owner/catalog/product-add.server.ts";
import type { EditDone } from "#app/owner/catalog/product-edit.server.ts";
import { keepIds, markUncounted } from "#app/owner/catalog/product-import.server.ts";
import { type ProductPlan, planPrepared } from "#app/owner/catalog/product-plan.server.ts";
import { deleteProduct } from "#app/owner/catalog/product-save.server.ts";
import { placeOf, productTable, readProductTable } from "#app/owner/catalog/product-table.server.ts";
import { importProducts, setHidden } from "#app/owner/catalog/products.server.ts";
import type { TableProblem, TableRow } from "#app/owner/catalog/table-row.ts";
import { momentOf, shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput, type Context, progress, type Result } from "./command.ts";
import { describePlan } from "./product-plan-text.ts";
import { readDocuments, readText } from "./read-file.ts";

export const products: Actions = {
  "products import": action({
    words: ["file"],
    options: { "with-stock": true, "dry-run": true, currency: "USD|NGN", rate: "NAIRA" },
    says: "adds and changes products from a table (.csv) or documents (.json), all or nothing; a change needs the id and the changed fields. --with-stock: changes stock, too; --dry-run: only shows what would change; --currency: of the prices in a file of Shopify or WooCommerce, with NGN and --rate, the naira for one dollar",
    changes: true,
    run: ({ words: { file }, options, ...hand }) =>
      importFile(hand, file, {
        withStock: options["with-stock"] ?? false,
        dryRun: options["dry-run"] ?? false,
        typed: options,
      }),
  }),
  "products export": action({
    words: ["[file]"],
    options: { for: "SHOP" },
    says: "exports all products as JSON, or as a table to FILE; --for shopify or --for woocommerce: as that shop's table",
    changes: false,
    run: ({ db, words: { file }, options }) => exportProducts(db, file, options.for),
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
    run: async ({ db, by, words: { id } }) => editResult(await copyProduct(db, by, id, randomUUID())),
  }),
  "products delete": action({
    words: ["id"],
    says: "deletes a product for good, if it was never ordered and is in no cart",
    changes: true,
    run: async ({ db, by, words: { id } }) => editResult(await deleteProduct(db, by, id)),
  }),
};

async function importFile(
  { db, by, confirm }: Context,
  file: string,
  { withStock, dryRun, typed }: { withStock: boolean; dryRun: boolean; typed: TypedCurrency },
): Promise<Result> {
  const { documents, ignored, foreign } = await readFileOf(file, typed);
  if (foreign) await keepIds(db, foreign.rows);
  const prepared = await prepareProducts(documents, path.dirname(file), {
    onProgress: progress("products", documents.length),
  });
  if (foreign) markUncounted(prepared, foreign.rows);
  const { products, problems } = prepared;
  const shown = await planPrepared(db, prepared, { withStock });
  const placed = ({ number, id, field, reason }: ProductProblem) => {
    const row = foreign?.rows[number - 1];
    return row && problemLine({ ...placeOf(field, [], row), id, reason });
  };
  const wrong = [
    ...problems.map((one) => placed(one) ?? problemText(one)),
    ...shown.problems.map(({ text, ...one }) => placed({ ...one, reason: text }) ?? text),
  ];
  if (wrong.length > 0)
    return { code: 2, data: { problems: wrong }, text: `Nothing was imported.\n${wrong.join("\n")}` };
  const { shop, leftOut = [] } = foreign ?? {};
  const left = leftOut.length > 0 ? `\nLeft out:\n${leftOut.map((one) => `  ${problemLine(one)}`).join("\n")}` : "";
  const about = (plan: ProductPlan) =>
    `${shop ? `This is a ${shop} file.\n` : ""}${describePlan(plan, ignored)}${left}`;
  const text = about(shown);
  const more = { ignored, ...(foreign && { shop, leftOut }) };
  if (dryRun) return { code: 0, data: { dryRun, ...planData(shown), ...more }, text: `${text}\nNothing was changed.` };
  if (shown.doubts.length > 0) await confirm(`${text}\nImport anyway?`);
  const done = await importProducts(db, by, products, { withStock, agreed: shown.doubts });
  return {
    code: 0,
    data: { imported: products.length, ...planData(done), ...more },
    text: `${about({ ...done, doubts: [] })}\nThe shop has ${products.length} products.`,
  };
}

function planData({ created, changed, unchanged, leftAlone, doubts }: ProductPlan) {
  const plain = ({ id, before, after }: (typeof created)[number]) => ({ id, before, after });
  return { created: created.map(plain), changed: changed.map(plain), unchanged, leftAlone, doubts };
}

type TypedCurrency = { currency?: string; rate?: string };
type FileRead = {
  documents: Record<string, unknown>[];
  ignored: string[];
  /** A file of another shop. */
  foreign?: { shop: string; rows: TableRow[]; leftOut: TableProblem[] };
};

/** The documents of a table or a .json file, and the names of the columns or fields that the import ignores. */
async function readFileOf(file: string, typed: TypedCurrency): Promise<FileRead> {
  const isTyped = typed.currency !== undefined || typed.rate !== undefined;
  const refuseTyped = () => {
    if (isTyped) throw new BadInput("--currency and --rate are for files of Shopify and WooCommerce");
  };
  if (!/\.(csv|tsv|txt)$/i.test(file)) {
    refuseTyped();
    const documents = await readDocuments(file);
    const names = new Set(documents.flatMap((document) => Object.keys(document ?? {})));
    return { documents, ignored: [...names].filter((name) => !PRODUCT_FIELDS.includes(name)) };
  }
  const currency = isTyped ? readCurrency(typed.currency?.toUpperCase(), typed.rate) : undefined;
  if (currency && "problems" in currency) throw new BadInput(Object.values(currency.problems).join("\n"));
  const { rows, problems, ignored, foreign } = readProductTable(await readText(file), currency);
  if (foreign?.asks)
    throw new BadInput(
      `${file} is a ${foreign.shop} file: add --currency USD, or --currency NGN --rate with the naira for one dollar`,
    );
  if (!foreign) refuseTyped();
  if (problems.length > 0)
    throw new BadInput(
      problems
        .map((one) => (foreign ? `${file}, ${problemLine(one)}` : `${file}, row ${one.row}: ${one.reason}`))
        .join("\n"),
    );
  return { documents: rows.map(({ document }) => document), ignored, foreign: foreign && { ...foreign, rows } };
}

/** A problem with its place, like "row 3, Option1 Value (tee): …". */
function problemLine({ row, column, id, reason }: TableProblem): string {
  return `row ${row}${column ? `, ${column}` : ""}${id ? ` (${id})` : ""}: ${reason}`;
}

async function hide({ db, by }: Context, id: string, hidden: boolean): Promise<Result> {
  const known = await db.selectFrom("products").select("hidden").where("id", "=", id).executeTakeFirst();
  if (!known) return badInput(`There’s no product '${id}'`);
  if (!(await setHidden(db, by, id, hidden))) return badInput(`${id} is already ${hidden ? "hidden" : "shown"}`);
  const text = hidden ? `${id} is hidden: it is no longer shown or sold.` : `${id} is shown and sold again.`;
  return { code: 0, data: { id, hidden }, text };
}

async function showAt({ db, by }: Context, id: string, at: string): Promise<Result> {
  const moment = momentOf(at);
  if (!moment || moment <= new Date()) return badInput(`--at ${at}: give a time in the future, like 2026-11-30T09:00`);
  const time = shopTimeWithZone(moment);
  if (!(await setHidden(db, by, id, true, moment)))
    return badInput(`There’s no product '${id}', or it already has that time`);
  return { code: 0, data: { id, publishAt: moment }, text: `${id} will be shown and sold from ${time}.` };
}

function editResult(done: EditDone): Result {
  if (done.ok) return { code: 0, data: { id: done.id }, text: `${done.id}: ${done.what}.` };
  return badInput("problem" in done ? done.problem : Object.values(done.problems).join("\n"));
}

async function exportProducts(db: Db, file?: string, shop?: string): Promise<Result> {
  if (shop !== undefined && !isForeignShop(shop))
    return badInput(`--for ${shop}: give ${Object.keys(FOREIGN_SHOPS).join(" or ")}`);
  const documents = await productDocuments(db, (image) => env.publicUrl.origin + pictureUrl(image, 1200, "jpg"));
  if (!file && shop === undefined) return { code: 0, data: documents, text: JSON.stringify(documents, null, 2) };
  const table =
    SPREADSHEET_MARK + (shop === undefined ? productTable(documents) : foreignTable(documents, shop, knownKinds()));
  if (!file) return { code: 0, data: documents, text: table };
  await writeFile(file, table);
  const count = documents.length;
  return { code: 0, data: { exported: count, file }, text: `${count} products exported to ${file}.` };
}
