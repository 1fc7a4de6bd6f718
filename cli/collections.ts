import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { listOriginals, originalOf } from "#app/catalog/pictures.server.ts";
import { pictureUrl } from "#app/catalog/product.ts";
import { type PreparedProduct, prepareProducts, productDocuments } from "#app/catalog/product-document.server.ts";
import { rateInForce, storeFirstRate } from "#app/catalog/rates.server.ts";
import { userDocument } from "#app/customer-data/user-document.server.ts";
import { importUser, readUserDocument } from "#app/customer-data/user-import.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { parseRate, type Rate, rateText } from "#app/money/exchange-rate.ts";
import { importSubscription, listSubscriptions, readSubscription } from "#app/newsletter/newsletter.server.ts";
import { toSaleDocument } from "#app/orders/document.ts";
import { listSold } from "#app/orders/history.server.ts";
import { importSale } from "#app/orders/import.server.ts";
import { readSaleDocument } from "#app/orders/past-sale.ts";
import { type Actor, recordChange } from "#app/owner/audit.server.ts";
import { planProducts } from "#app/owner/product-plan.server.ts";
import { writeProducts } from "#app/owner/products.server.ts";
import {
  readShippingDocument,
  type ShippingTables,
  shippingDocument,
  writeShippingRates,
} from "#app/shipping/document.server.ts";
import { hasOwnShippingRates } from "#app/shipping/rates.server.ts";
import { type Actions, action, badInput, progress, type Result } from "./command.ts";
import { readDocuments } from "./read-file.ts";

/** The collections of the described product, each a file NAME.json; Shopping holds the one document Shipping. */
const NAMES = ["Products", "Users", "Sales", "Subscription", "ExchangeRate", "Shopping"] as const;
type Name = (typeof NAMES)[number];

export const collections: Actions = {
  "collections export": action({
    words: ["dir"],
    says: "every collection as JSON documents, and the pictures",
    changes: false,
    run: ({ db, words: { dir } }) => exportAll(db, dir),
  }),
  "collections import": action({
    words: ["dir"],
    says: "into this shop: all of it or nothing; what is known already stays",
    changes: true,
    run: ({ db, by, words: { dir } }) => importAll(db, by, dir),
  }),
};

async function exportAll(db: Db, folder: string): Promise<Result> {
  const site = env.publicUrl.origin;
  const { rate } = await rateInForce(db);
  const ids = await db.selectFrom("users").select("id").orderBy("createdAt").execute();
  const told = progress("customers", ids.length);
  const users = [];
  for (const { id } of ids) {
    users.push(await userDocument(db, id, site));
    told(users.length);
  }
  const sold = await listSold(db);
  const documents: Record<Name, object> = {
    Products: await productDocuments(db, ({ hash }) => `images/${hash}.jpg`),
    Users: users,
    Sales: sold.map((order) =>
      toSaleDocument(order, ({ image }) => (image ? site + pictureUrl(image, 640, "jpg") : "")),
    ),
    Subscription: await listSubscriptions(db),
    ExchangeRate: [{ rate: Number(rateText(rate)) }],
    Shopping: { Shipping: await shippingDocument(db) },
  };
  await mkdir(path.join(folder, "images"), { recursive: true });
  for (const [name, value] of Object.entries(documents))
    await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
  for (const hash of await listOriginals()) {
    const bytes = await originalOf(hash);
    if (bytes) await writeFile(path.join(folder, "images", `${hash}.jpg`), bytes);
  }
  const counts = Object.fromEntries(
    Object.entries(documents).map(([name, value]) => [name, Object.keys(value).length]),
  );
  return { code: 0, data: counts, text: `${folder}: ${summary(counts)}` };
}

/** Reads everything before it writes anything. */
async function importAll(db: Db, by: Actor, folder: string): Promise<Result> {
  const fileOf = (name: string) => path.join(folder, `${name}.json`);
  if (!NAMES.some((name) => existsSync(fileOf(name))))
    return badInput(`${folder} holds none of ${NAMES.map((name) => `${name}.json`).join(", ")}`);
  const problems: string[] = [];
  const of = async (name: Name) => (existsSync(fileOf(name)) ? readDocuments(fileOf(name)) : []);
  const read = async <T>(name: Name, reader: (given: Record<string, unknown>) => T): Promise<T[]> =>
    (await of(name)).flatMap((given, index) => {
      try {
        return [reader(given)];
      } catch (error) {
        if (!(error instanceof z.ZodError)) throw error;
        problems.push(
          ...error.issues.map(({ path, message }) => `${name} ${index + 1}, ${path.join(".")}: ${message}`),
        );
        return [];
      }
    });

  const given = await of("Products");
  const prepared = await prepareProducts(given, folder, { onProgress: progress("products", given.length) });
  problems.push(...prepared.problems);
  const users = await read("Users", readUserDocument);
  const sales = await read("Sales", readSaleDocument);
  const subscriptions = await read("Subscription", readSubscription);
  const rates = await read("ExchangeRate", readRate);
  const shipping = await read("Shopping", ({ id: _, ...document }) => readShippingDocument(document));
  if (problems.length > 0)
    return { code: 2, data: { problems }, text: `Nothing was imported.\n${problems.join("\n")}` };

  const counts = await db.transaction().execute(async (trx) => {
    const counts = {
      Products: await addProducts(trx, prepared.products),
      Users: await countDone(trx, users, importUser),
      Sales: await countDone(trx, sales, importSale),
      Subscription: await countDone(trx, subscriptions, importSubscription),
      ExchangeRate: await countDone(trx, rates.slice(0, 1), importRate),
      Shopping: await countDone(trx, shipping, importShipping),
    };
    await recordChange(trx, { by, action: "collections import", subject: { kind: "shop", id: "all" }, after: counts });
    return counts;
  });
  return { code: 0, data: counts, text: `Imported: ${summary(counts)}` };
}

async function countDone<T>(trx: Transaction, all: T[], write: (trx: Transaction, one: T) => Promise<boolean>) {
  let done = 0;
  for (const one of all) if (await write(trx, one)) done++;
  return done;
}

/** What is known already stays as it is. */
async function addProducts(trx: Transaction, products: PreparedProduct[]): Promise<number> {
  const { created, problems } = await planProducts(trx, products, { withStock: false });
  if (problems.length > 0) throw new BadInput(["Nothing was imported.", ...problems].join("\n"));
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

const rateDocument = z.object({ rate: z.union([z.string(), z.number()]) }).transform(({ rate: given }, context) => {
  const rate = parseRate(String(given));
  if (rate) return rate;
  context.addIssue(`'${given}' is no rate`);
  return z.NEVER;
});

function readRate(given: unknown) {
  return rateDocument.parse(given);
}

function summary(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
