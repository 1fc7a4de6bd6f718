import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { z } from "zod";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { storePicture } from "./pictures/originals.server.ts";
import { DETAIL_NAMES, eachFlag } from "./product-fields.ts";

const FOLDER = "db/demo";
const demo = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    color: z.string(),
    description: z.string(),
    priceCents: z.int(),
    kinds: z.array(z.string()).default([]),
    ...eachFlag(() => z.boolean().default(false)),
    details: z.partialRecord(z.enum(DETAIL_NAMES), z.string()).default({}),
    sizes: z.record(z.string(), z.int()),
    images: z.array(
      z.object({
        file: z.string(),
        hash: z.string(),
        width: z.int(),
        height: z.int(),
        alt: z.string(),
        background: z.string(),
      }),
    ),
  }),
);

/**
 * Fills an empty shop with the demo catalogue, only once even if several processes call it. `past` runs first, in the
 * same transaction, and may restore the catalogue with its sales: prices, pictures and stock are the demo's afterwards.
 * The renderings of the pictures are made later, in the background.
 */
export async function seedDemo(on: Db, past?: (trx: Transaction) => Promise<void>): Promise<void> {
  if (await hasProducts(on)) return;
  const products = await demoProducts();
  for (const { images } of products) {
    for (const { file } of images) await storePicture(await readFile(`${FOLDER}/images/${file}`));
  }
  await on.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7103303)`.execute(trx);
    if (await hasProducts(trx)) return;
    await past?.(trx);
    for (const [position, { sizes, images, details, ...product }] of products.entries()) {
      const shown = images.map(({ file: _, ...image }) => image);
      const row = { ...product, position, details: JSON.stringify(details), images: JSON.stringify(shown) };
      await trx
        .insertInto("products")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
      const rows = Object.entries(sizes).map(([size, supplied]) => ({ productId: product.id, size, supplied }));
      const available = sql<number>`product_sizes.sold + excluded.supplied`;
      await trx
        .insertInto("productSizes")
        .values(rows)
        .onConflict((conflict) => conflict.columns(["productId", "size"]).doUpdateSet({ supplied: available }))
        .execute();
    }
    await enqueue(trx, "make-pictures", {});
  });
}

/** The number of visible products that are part of the demo catalogue, by id and title. */
export async function shownDemoProducts(on: Db | Transaction): Promise<number> {
  const demo = new Map((await demoProducts()).map(({ id, title }) => [id, title]));
  const known = on
    .selectFrom("products")
    .select(["id", "title"])
    .where("id", "in", [...demo.keys()]);
  const shown = await known.where("hidden", "=", false).execute();
  return shown.filter(({ id, title }) => demo.get(id) === title).length;
}

async function demoProducts() {
  return demo.parse(JSON.parse(await readFile(`${FOLDER}/products.json`, "utf8")));
}

export async function hasProducts(on: Db | Transaction): Promise<boolean> {
  return (await on.selectFrom("products").select("id").limit(1).executeTakeFirst()) !== undefined;
}
