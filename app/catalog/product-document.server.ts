import { sql } from "kysely";
import { z } from "zod";
import type { Db, Transaction } from "#app/infra/db.server.ts";
import { isPublicAddress } from "#app/infra/public-address.ts";
import { enqueue } from "#app/infra/queue.server.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";
import { dollarsField } from "./document-fields.ts";
import { importPicture } from "./picture-import.server.ts";
import { ONE_SIZE, SIZES } from "./sizes.ts";

/**
 * A product in the specification's shape (section 3), with a description; `sizes` says what lies on the shelf now, `quantity` the same of a product
 * with the one size.
 */
const document = z.object({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, "an id has letters, digits, - and _"),
  title: z.string().trim().min(1, "the title is missing").max(200),
  color: z.string().trim().max(100).optional(),
  description: z.string().max(5000).optional(),
  price: dollarsField("price in dollars, like 49.99", 1),
  images: z.array(z.string().min(1)).max(20).optional(),
  sizes: z
    .partialRecord(
      z.enum([...SIZES, ONE_SIZE], `sizes are ${SIZES.join(" ")}, or ${ONE_SIZE}`),
      z.int().min(0).max(999_999),
    )
    .default({}),
  quantity: z.int().min(0).optional(),
});
export type PreparedProduct = Omit<z.infer<typeof document>, "images"> & { images?: ProductImage[] };
export type Prepared = { products: PreparedProduct[]; problems: string[] };

/**
 * Reads product documents and their pictures: files in `folder`, addresses on the public internet, or pictures that the shop has already. Writes
 * nothing but pictures; whatever is wrong is in `problems`, a line each. `told` hears of the progress.
 */
export async function prepareProducts(
  given: unknown[],
  folder: string,
  { told = (_done: number) => {}, mayReach = isPublicAddress } = {},
): Promise<Prepared> {
  const prepared: Prepared = { products: [], problems: [] };
  const ids = new Set<string>();
  for (const [index, one] of given.entries()) {
    const where = `product ${index + 1} (${(one as { id?: unknown } | null)?.id ?? "without an id"})`;
    const parsed = document.safeParse(one);
    if (!parsed.success) {
      prepared.problems.push(
        ...parsed.error.issues.map(({ path, message }) => `${where}, ${path.join(".")}: ${message}`),
      );
      continue;
    }
    const { images, ...product } = parsed.data;
    if (ids.has(product.id)) prepared.problems.push(`${where}: the id is there twice`);
    ids.add(product.id);
    const shown: ProductImage[] = [];
    for (const source of images ?? []) {
      try {
        shown.push(await importPicture(source, folder, product.title, mayReach));
      } catch (error) {
        prepared.problems.push(`${where}, images: ${source}: ${(error as Error).message}`);
      }
    }
    prepared.products.push({ ...product, images: images && shown });
    told(index + 1);
  }
  return prepared;
}

/**
 * Adds new products; known ones are changed, or stay as they are. What a document does not name of a known one stays too. Returns how many were
 * written. Throws where running payments hold more.
 */
export async function writeProducts(
  trx: Transaction,
  products: PreparedProduct[],
  known: "change" | "stay",
): Promise<number> {
  let written = 0;
  const { last } = await trx
    .selectFrom("products")
    .select(sql<number>`coalesce(max(position), -1)`.as("last"))
    .executeTakeFirstOrThrow();
  for (const [index, { id, title, color, description, price, images, sizes, quantity }] of products.entries()) {
    const fields = { title, color, description, priceCents: price, images: images && JSON.stringify(images) };
    const row = await trx
      .insertInto("products")
      .values({ id, ...fields, color: color ?? "", images: JSON.stringify(images ?? []), position: last + 1 + index })
      .onConflict((conflict) =>
        known === "change"
          ? conflict.column("id").doUpdateSet({ ...fields, updatedAt: sql`now()` })
          : conflict.column("id").doNothing(),
      )
      .returning(sql<boolean>`xmax = 0`.as("isNew"))
      .executeTakeFirst();
    if (!row) continue;
    written++;
    const shelf =
      Object.keys(sizes).length > 0 ? sizes : await oneSize(trx, id, row.isNew ? (quantity ?? 0) : quantity);
    for (const [size, onHand] of Object.entries(shelf)) {
      await sql`
        insert into product_sizes as s (product_id, size, supplied) values (${id}, ${size}, ${onHand})
        on conflict (product_id, size) do update set supplied = s.sold + ${onHand}
      `.execute(trx);
    }
  }
  await enqueue(trx, "make-pictures", {});
  return written;
}

/** The shelf of a product that is told without sizes; a known one that has others gets no further one. */
async function oneSize(trx: Transaction, productId: string, quantity?: number): Promise<Record<string, number>> {
  const other = await trx
    .selectFrom("productSizes")
    .select("size")
    .where("productId", "=", productId)
    .where("size", "!=", ONE_SIZE)
    .executeTakeFirst();
  return other || quantity === undefined ? {} : { [ONE_SIZE]: quantity };
}

/** All products as documents, with what lies on the shelf; `picture` names each picture. */
export async function productDocuments(on: Db, picture: (image: ProductImage) => string) {
  const rows = await on
    .selectFrom("products")
    .innerJoin("productSizes", "productId", "products.id")
    .selectAll("products")
    .select(sql<Record<string, number>>`json_object_agg(size, on_hand)`.as("sizes"))
    .groupBy("products.id")
    .orderBy("position")
    .orderBy("products.id")
    .execute();
  return rows.map(({ id, title, color, description, priceCents, images, sizes }) => ({
    id,
    title,
    color,
    description,
    price: dollars(usdCents(priceCents)),
    images: images.map(picture),
    sizes,
    quantity: Object.values(sizes).reduce((sum, units) => sum + units, 0),
  }));
}
