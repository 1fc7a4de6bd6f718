import { writeFile } from "node:fs/promises";
import path from "node:path";
import Papa from "papaparse";
import { pictureUrl } from "#app/catalog/product.ts";
import {
  type PreparedProduct,
  prepareProducts,
  productDocuments,
  writeProducts,
} from "#app/catalog/product-document.server.ts";
import { ONE_SIZE, SIZES } from "#app/catalog/sizes.ts";
import type { Db } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { type Actor, recordChange } from "#app/owner/audit.server.ts";
import { type Actions, action, progress, type Result } from "./command.ts";
import { readDocuments } from "./read-file.ts";

const ALL_SIZES = [...SIZES, ONE_SIZE];

export const products: Actions = {
  "products import": action({
    words: ["file"],
    says: "adds and changes products, from a table (.csv) or documents (.json); all of the file or nothing",
    changes: true,
    run: ({ db, by, words: { file } }) => importProducts(db, by, file),
  }),
  "products export": action({
    words: ["[file]"],
    says: "all products as JSON, or as a table into FILE",
    changes: false,
    run: ({ db, words: { file } }) => exportProducts(db, file),
  }),
};

async function importProducts(db: Db, by: Actor, file: string): Promise<Result> {
  const given = (await readDocuments(file)).map((one) => (file.endsWith(".csv") ? fromCsv(one) : one));
  const told = progress("products", given.length);
  const { products, problems } = await prepareProducts(given, path.dirname(file), { told });
  if (problems.length > 0)
    return { code: 2, data: { problems }, text: `Nothing was imported.\n${problems.join("\n")}` };
  await writeAll(db, by, products);
  return { code: 0, data: { imported: products.length }, text: `${products.length} products are in the shop.` };
}

/** Of units that running payments hold the database says only the rule's name. */
async function writeAll(db: Db, by: Actor, products: PreparedProduct[]): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      await writeProducts(trx, products, "change");
      for (const { id, ...after } of products)
        await recordChange(trx, { by, action: "products import", subject: { kind: "product", id }, after });
    });
  } catch (error) {
    const { constraint, detail = "" } = error as { constraint?: string; detail?: string };
    if (constraint !== "stock_never_oversold") throw error;
    throw new Error(`Nothing was imported: running payments hold more than the new stock of one size. ${detail}`);
  }
}

async function exportProducts(db: Db, file?: string): Promise<Result> {
  const documents = await productDocuments(db, (image) => env.publicUrl.origin + pictureUrl(image, 1200, "jpg"));
  if (!file) return { code: 0, data: documents, text: JSON.stringify(documents, null, 2) };
  const rows = documents.map(({ sizes, images, quantity: _, ...rest }) => ({
    ...rest,
    ...Object.fromEntries(ALL_SIZES.map((size) => [size, sizes[size] ?? ""])),
    images: images.join(" | "),
  }));
  await writeFile(file, `${Papa.unparse(rows)}\n`);
  return { code: 0, data: { exported: rows.length, file }, text: `${rows.length} products are in ${file}.` };
}

/** A row with a column for each size; pictures divided by |. What has no column, or no number of a size, is not named. */
function fromCsv(row: Record<string, unknown>): Record<string, unknown> {
  const { images, ...rest } = row as Record<string, string | undefined>;
  const sizes = Object.fromEntries(
    ALL_SIZES.filter((size) => rest[size]?.trim()).map((size) => [size, Number(rest[size])]),
  );
  return {
    ...rest,
    sizes,
    quantity: undefined,
    images: images
      ?.split("|")
      .map((one) => one.trim())
      .filter(Boolean),
  };
}
