import { existsSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { z } from "zod";
import { type PreparedProduct, prepareProducts } from "#app/catalog/product-document.server.ts";
import { storeFirstRate } from "#app/catalog/rates.server.ts";
import { importUser, readUserDocument } from "#app/customer-data/user-import.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { type Imported, type Misfit, readDocument } from "#app/infra/read-document.ts";
import { parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { importSubscription, readSubscription } from "#app/newsletter/newsletter.server.ts";
import { importSale } from "#app/orders/import.server.ts";
import { importPastPictures } from "#app/orders/past-pictures.server.ts";
import { type PastSale, readSaleDocument } from "#app/orders/past-sale.ts";
import { recordChange } from "#app/owner/audit.server.ts";
import { planProducts } from "#app/owner/product-plan.server.ts";
import { writeProducts } from "#app/owner/products.server.ts";
import { reviewShippingNames, shippingNameLines } from "#app/owner/shipping-names.ts";
import { readShippingDocument, type ShippingTables, writeShippingRates } from "#app/shipping/document.server.ts";
import { hasOwnShippingRates } from "#app/shipping/rates.server.ts";
import { COLLECTIONS, type Collection, countText } from "./collection-names.ts";
import { badInput, type Hand, progress, type Result } from "./command.ts";
import { readDocuments } from "./read-file.ts";

/** What did not arrive: the document's number counts from 1 in its file. */
type LeftOut = Misfit & { collection: Collection; number: number };
type Numbered<T> = { number: number; value: T };
type Documents = Record<Collection, Record<string, unknown>[]>;
type Read = {
  products: Numbered<PreparedProduct>[];
  users: Numbered<ReturnType<typeof readUserDocument>>[];
  sales: Numbered<PastSale>[];
  subscriptions: Numbered<ReturnType<typeof readSubscription>>[];
  rates: Numbered<Rate>[];
  shipping: Numbered<ShippingTables>[];
};
type Options = { skipBad: boolean };

/** Reads everything before it writes anything. */
export async function importCollections({ db, by }: Hand, folder: string, options: Options): Promise<Result> {
  if (!COLLECTIONS.some((name) => existsSync(fileOf(folder, name))))
    return badInput(`${folder} holds none of ${COLLECTIONS.map((name) => `${name}.json`).join(", ")}`);
  const { read, problems } = await readAll(db, await readFolder(folder), folder, options);
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
    await recordChange(trx, { by, action: "collections import", subject, after: counts });
    return counts;
  });
  leftOut.sort((a, b) => COLLECTIONS.indexOf(a.collection) - COLLECTIONS.indexOf(b.collection) || a.number - b.number);
  return {
    code: problems.length > 0 ? 1 : 0,
    data: { ...counts, ...(leftOut.length > 0 && { leftOut }) },
    text: [
      `Imported: ${countText(counts)}`,
      ...(leftOut.length > 0 ? ["Left out:", ...leftOut.map((one) => `  ${lineOf(one)}`)] : []),
      ...read.shipping.flatMap(({ value }) => shippingNameLines(reviewShippingNames(value))),
    ].join("\n"),
  };
}

function fileOf(folder: string, name: Collection): string {
  return path.join(folder, `${name}.json`);
}

function lineOf({ collection, number, field, reason }: LeftOut): string {
  return `${collection} ${number}${field && `, ${field}`}: ${reason}`;
}

async function readFolder(folder: string): Promise<Documents> {
  const documents: Documents = { Products: [], Users: [], Sales: [], Subscription: [], ExchangeRate: [], Shopping: [] };
  for (const name of COLLECTIONS)
    if (existsSync(fileOf(folder, name))) documents[name] = await readDocuments(fileOf(folder, name));
  return documents;
}

async function readAll(
  db: Db,
  documents: Documents,
  folder: string,
  { skipBad }: Options,
): Promise<{ read: Read; problems: LeftOut[] }> {
  const problems: LeftOut[] = [];
  const read = <T>(collection: Collection, reader: (given: unknown) => T, entryOf?: typeof shippingEntry) =>
    documents[collection].flatMap((given, index): Numbered<T>[] => {
      const { value, misfits } = readDocument(reader, given, skipBad ? entryOf : undefined);
      problems.push(...misfits.map((misfit) => ({ ...misfit, collection, number: index + 1 })));
      return value === undefined ? [] : [{ number: index + 1, value }];
    });
  const products = await readProducts(db, documents.Products, folder, problems, skipBad);
  return {
    read: {
      products,
      users: read("Users", readUserDocument),
      sales: read("Sales", readSaleDocument),
      subscriptions: read("Subscription", readSubscription),
      rates: read("ExchangeRate", (given) => rateDocument.parse(given)),
      shipping: read("Shopping", readShipping, shippingEntry),
    },
    problems,
  };
}

async function readProducts(
  db: Db,
  documents: Record<string, unknown>[],
  folder: string,
  problems: LeftOut[],
  skipSizes: boolean,
): Promise<Numbered<PreparedProduct>[]> {
  const onProgress = progress("products", documents.length);
  const prepared = await prepareProducts(documents, folder, { onProgress, skipSizes });
  const collection = "Products";
  problems.push(
    ...prepared.problems.map(({ number, field, reason }) => ({ collection, number, field, reason }) as const),
  );
  const known = new Set((await db.selectFrom("products").select("id").execute()).map(({ id }) => id));
  return prepared.products.flatMap((value) => {
    const number = documents.findIndex(({ id }) => id === value.id) + 1;
    const missing = (["title", "price"] as const).filter((field) => !known.has(value.id) && value[field] === undefined);
    problems.push(...missing.map((field) => ({ collection, number, field, reason: "is missing" }) as const));
    return missing.length > 0 ? [] : [{ number, value }];
  });
}

const rateDocument = z.object({ rate: z.union([z.string(), z.number()]) }).transform(({ rate: given }, context) => {
  const rate = parseRate(String(given));
  if (rate) return rate;
  context.addIssue(`'${given}' is no rate`);
  return z.NEVER;
});

const shippingDocument = z.object({ id: z.unknown() }).loose();

function readShipping(given: unknown): ShippingTables {
  const { id: _, ...document } = shippingDocument.parse(given);
  return readShippingDocument(document);
}

/** The state, pick-up location or country that a bad field of the shipping document belongs to. */
function shippingEntry(bad: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  if (bad[0] !== "Nigeria") return bad.slice(0, 1);
  return bad.length >= 4 ? bad.slice(0, 4) : undefined;
}

/** Writes the documents of a collection and counts those that are new; what the database refuses is left out, or ends the import. */
function writer(trx: Transaction, leftOut: LeftOut[], { skipBad }: Options) {
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

/** A value that a column or a rule of the tables does not take. */
function isRefusedByDatabase(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^2[23]/.test(String(error.code));
}

/** What is known already stays as it is. */
async function addProducts(trx: Transaction, products: Numbered<PreparedProduct>[]): Promise<number> {
  const documents = products.map(({ value }) => value);
  const { created } = await planProducts(trx, documents, { withStock: false });
  await writeProducts(trx, { created, changed: [] });
  return created.length;
}

function importRate(trx: Transaction, rate: Rate): Promise<boolean> {
  return storeFirstRate(trx, rate, "collections");
}

/** The demo's rates make room, since they are not the owner's. */
async function importShipping(trx: Transaction, rates: ShippingTables): Promise<boolean> {
  if (await hasOwnShippingRates(trx)) return false;
  await writeShippingRates(trx, rates);
  return true;
}

async function whole(written: Promise<boolean>): Promise<Imported> {
  return { isNew: await written, leftOut: [] };
}
