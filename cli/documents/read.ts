import { existsSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type PreparedProduct, prepareProducts } from "#app/catalog/documents/product.server.ts";
import { readUserDocument } from "#app/customer-data/user-import.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { type Misfit, readDocument } from "#app/infra/document/read.ts";
import { type Rate, readRate } from "#app/money/exchange-rate.ts";
import { readSubscription } from "#app/newsletter/newsletter.server.ts";
import { type PastSale, readSaleDocument } from "#app/orders/past/sale.ts";
import { readShippingDocument, type ShippingTables } from "#app/shipping/document.server.ts";
import { progress } from "../command.ts";
import { readDocuments } from "../read-file.ts";
import { COLLECTIONS, type Collection } from "./names.ts";

/** A document, or a part of one, that was not imported. `number` is its position in the file, from 1. */
export type LeftOut = Misfit & { collection: Collection; number: number };
export type Numbered<T> = { number: number; value: T };
type Documents = Record<Collection, Record<string, unknown>[]>;
/** The valid documents. */
type Read = {
  products: Numbered<PreparedProduct>[];
  users: Numbered<ReturnType<typeof readUserDocument>>[];
  sales: Numbered<PastSale>[];
  subscriptions: Numbered<ReturnType<typeof readSubscription>>[];
  rates: Numbered<Rate>[];
  shipping: Numbered<ShippingTables>[];
};
/** `skipBad`: invalid documents are left out. Otherwise they end the import. */
export type ReadOptions = { skipBad: boolean };

function fileOf(folder: string, name: Collection): string {
  return path.join(folder, `${name}.json`);
}

export function lineOf({ collection, number, field, reason }: LeftOut): string {
  return `${collection} ${number}${field && `, ${field}`}: ${reason}`;
}

async function readFolder(folder: string): Promise<Documents> {
  if (!COLLECTIONS.some((name) => existsSync(fileOf(folder, name))))
    throw new BadInput(`${folder} has none of ${COLLECTIONS.map((name) => `${name}.json`).join(", ")}`);
  const documents: Documents = { Products: [], Users: [], Sales: [], Subscription: [], ExchangeRate: [], Shopping: [] };
  for (const name of COLLECTIONS)
    if (existsSync(fileOf(folder, name))) documents[name] = await readDocuments(fileOf(folder, name));
  return documents;
}

/**
 * Reads the collections of a folder, and stores the pictures of its products. Throws a BadInput if the folder has no
 * collection.
 */
export async function readCollections(
  db: Db,
  folder: string,
  { skipBad }: ReadOptions,
): Promise<{ read: Read; problems: LeftOut[] }> {
  const documents = await readFolder(folder);
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
    ...prepared.problems.map(({ number, field, reason }) => {
      const advice = /^kinds\.\d+$/.test(field) ? "; add others with 'kinds set' first" : "";
      return { collection, number, field, reason: reason + advice } as const;
    }),
  );
  const known = new Set((await db.selectFrom("products").select("id").execute()).map(({ id }) => id));
  return prepared.products.flatMap((value) => {
    const { number } = value;
    const missing = (["title", "price"] as const).filter((field) => !known.has(value.id) && value[field] === undefined);
    problems.push(...missing.map((field) => ({ collection, number, field, reason: "is missing" }) as const));
    return missing.length > 0 ? [] : [{ number, value }];
  });
}

const rateDocument = z.object({ rate: z.union([z.string(), z.number()]) }).transform(({ rate: given }, context) => {
  const rate = readRate(String(given));
  if (rate) return rate;
  context.addIssue(`'${given}' isn't a rate`);
  return z.NEVER;
});

const shippingDocument = z.object({ id: z.unknown() }).loose();

function readShipping(given: unknown): ShippingTables {
  const { id: _, ...document } = shippingDocument.parse(given);
  return readShippingDocument(document);
}

/**
 * The path of the state, pick-up location or country that an invalid field of the shipping document belongs to.
 * Undefined if it belongs to none.
 */
function shippingEntry(bad: readonly PropertyKey[]): readonly PropertyKey[] | undefined {
  if (bad[0] !== "Nigeria") return bad.slice(0, 1);
  return bad.length >= 4 ? bad.slice(0, 4) : undefined;
}
