import { sql } from "kysely";
import type { PreparedProduct } from "#app/catalog/documents/product.server.ts";
import { storeFirstRate } from "#app/catalog/rates.server.ts";
import { importUser } from "#app/customer-data/user-import.server.ts";
import { recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import type { Imported } from "#app/infra/document/read.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { importSubscription } from "#app/newsletter/newsletter.server.ts";
import { importSale } from "#app/orders/past/import.server.ts";
import { importPastPictures } from "#app/orders/past/pictures.server.ts";
import { planProducts } from "#app/owner/catalog/product-plan.server.ts";
import { writeProducts } from "#app/owner/catalog/products.server.ts";
import { reviewShippingNames, shippingNameLines } from "#app/owner/shipping-names.ts";
import { type ShippingTables, writeShippingRates } from "#app/shipping/document.server.ts";
import { hasOwnShippingRates } from "#app/shipping/rates.server.ts";
import { type Context, progress, type Result } from "../command.ts";
import { COLLECTIONS, type Collection, countText } from "./names.ts";
import { type LeftOut, lineOf, type Numbered, type ReadOptions, readCollections } from "./read.ts";

/** Imports a folder's documents in one transaction, after reading all. Problems end it with code 2 unless `skipBad`. */
export async function importDocuments({ db, by }: Context, folder: string, options: ReadOptions): Promise<Result> {
  const { read, problems } = await readCollections(db, folder, options);
  if (problems.length > 0 && !options.skipBad) {
    const lines = problems.map(lineOf);
    return { code: 2, data: { problems: lines }, text: `Nothing was imported.\n${lines.join("\n")}` };
  }
  const pictures = await importPastPictures(
    read.sales.map(({ value }) => value),
    folder,
    progress("sales", read.sales.length),
  );
  const leftOut = [...problems];
  const counts = await db.transaction().execute(async (trx) => {
    const write = writer(trx, leftOut, options);
    const counts = {
      Products: await addProducts(trx, read.products),
      Users: await write("Users", read.users, (user) => importUser(trx, user)),
      Sales: await write("Sales", read.sales, (sale) => importSale(trx, sale, pictures)),
      Subscription: await write("Subscription", read.subscriptions, (one) => whole(importSubscription(trx, one))),
      ExchangeRate: await write("ExchangeRate", read.rates.slice(0, 1), (rate) => whole(importRate(trx, rate))),
      Shopping: await write("Shopping", read.shipping, (rates) => whole(importShipping(trx, rates))),
    };
    const subject = { kind: "shop", id: "all" };
    await recordChange(trx, { by, action: "documents import", subject, after: counts });
    return counts;
  });
  leftOut.sort((a, b) => COLLECTIONS.indexOf(a.collection) - COLLECTIONS.indexOf(b.collection) || a.number - b.number);
  return {
    code: options.skipBad && leftOut.length > 0 ? 1 : 0,
    data: { ...counts, ...(leftOut.length > 0 && { leftOut }) },
    text: [
      `Imported: ${countText(counts)}`,
      ...(leftOut.length > 0 ? ["Left out:", ...leftOut.map((one) => `  ${lineOf(one)}`)] : []),
      ...read.shipping.flatMap(({ value }) => shippingNameLines(reviewShippingNames(value))),
    ].join("\n"),
  };
}

/**
 * Returns a function that writes a collection's documents and counts the new ones. A document that the database refuses
 * is left out with `skipBad`; otherwise it ends the import.
 */
function writer(trx: Transaction, leftOut: LeftOut[], { skipBad }: ReadOptions) {
  return async <T>(
    collection: Collection,
    documents: Numbered<T>[],
    write: (value: T) => Promise<Imported>,
  ): Promise<number> => {
    let count = 0;
    for (const { number, value } of documents) {
      const place = { collection, number };
      await sql`savepoint document`.execute(trx);
      try {
        const done = await write(value);
        leftOut.push(...done.leftOut.map((misfit) => ({ ...misfit, ...place })));
        if (done.isNew) count++;
      } catch (error) {
        if (!isRefusedByDatabase(error)) throw error;
        const refused = { ...place, field: "", reason: error.message };
        if (!skipBad) throw new BadInput(`Nothing was imported.\n${lineOf(refused)}`);
        await sql`rollback to savepoint document`.execute(trx);
        leftOut.push(refused);
      }
      await sql`release savepoint document`.execute(trx);
    }
    return count;
  };
}

/** Whether a column's type or a constraint refused a value: SQLSTATE classes 22 and 23. */
function isRefusedByDatabase(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^2[23]/.test(String(error.code));
}

/** Adds the new products. Products that the shop already has stay as they are. */
async function addProducts(trx: Transaction, products: Numbered<PreparedProduct>[]): Promise<number> {
  const documents = products.map(({ value }) => value);
  const { created } = await planProducts(trx, documents, { withStock: false });
  await writeProducts(trx, { created, changed: [] });
  return created.length;
}

function importRate(trx: Transaction, rate: Rate): Promise<boolean> {
  return storeFirstRate(trx, rate, "collections");
}

/** Replaces the demo's rates, but never the owner's own. Returns whether the rates were written. */
async function importShipping(trx: Transaction, rates: ShippingTables): Promise<boolean> {
  if (await hasOwnShippingRates(trx)) return false;
  await writeShippingRates(trx, rates);
  return true;
}

async function whole(written: Promise<boolean>): Promise<Imported> {
  return { isNew: await written, leftOut: [] };
}
