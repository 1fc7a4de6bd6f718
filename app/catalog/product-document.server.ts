import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "#app/infra/database/db.server.ts";
import { isPublicAddress } from "#app/infra/http/public-address.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";
import { dollarsField, time } from "./document-fields.ts";
import { importPicture } from "./picture-import.server.ts";
import { ONE_SIZE, SIZES } from "./sizes.ts";

/**
 * A product in the specification's shape, with a description; `sizes` has the stock of each size, `quantity` that of a product with the one size, and
 * `exportedAt` the time at which that was so. Fields that are missing leave the product as it is; only a new product needs a title and a price.
 */
const document = z.object({
  id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, "an id has letters, digits, - and _"),
  title: z.string().trim().min(1, "the title is missing").max(200).optional(),
  color: z.string().trim().max(100).optional(),
  description: z.string().max(5000).optional(),
  price: dollarsField("price in dollars, like 49.99", 1).optional(),
  images: z.array(z.string().min(1)).max(20).optional(),
  sizes: z
    .partialRecord(
      z.enum([...SIZES, ONE_SIZE], `sizes are ${SIZES.join(" ")}, or ${ONE_SIZE}`),
      z.int().min(0).max(999_999),
    )
    .default({}),
  quantity: z.int().min(0).max(999_999).optional(),
  hidden: z.boolean().optional(),
  exportedAt: time.optional(),
});
/** For messages about documents that are wrong. */
const named = z.object({ id: z.coerce.string() });
/** The fields of a product document; others are ignored. */
export const PRODUCT_FIELDS = Object.keys(document.shape);
export type PreparedProduct = Omit<z.infer<typeof document>, "images"> & { images?: ProductImage[] };
export type Prepared = { products: PreparedProduct[]; problems: string[] };

/**
 * Reads product documents and their pictures: files in `folder`, addresses on the public internet, or pictures that the shop has already. Writes
 * nothing but pictures; `problems` has a line for each thing that is wrong. `onProgress` is called with the number of products done.
 */
export async function prepareProducts(
  given: unknown[],
  folder: string,
  { onProgress = (_done: number) => {}, mayReach = isPublicAddress } = {},
): Promise<Prepared> {
  const prepared: Prepared = { products: [], problems: [] };
  const ids = new Set<string>();
  for (const [index, one] of given.entries()) {
    const where = `product ${index + 1} (${named.safeParse(one).data?.id ?? "without an id"})`;
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
        shown.push(await importPicture(source, folder, product.title ?? "", mayReach));
      } catch (error) {
        prepared.problems.push(`${where}, images: ${source}: ${(error as Error).message}`);
      }
    }
    prepared.products.push({ ...product, images: images && shown });
    onProgress(index + 1);
  }
  return prepared;
}

/** All products as documents, with their stock on hand; `picture` gives each picture's address. */
export async function productDocuments(on: Db, picture: (image: ProductImage) => string) {
  const rows = await on
    .selectFrom("products")
    .innerJoin("productSizes", "productId", "products.id")
    .selectAll("products")
    .select(sql<Record<string, number>>`json_object_agg(size, on_hand)`.as("sizes"))
    .select(sql<Date>`now()`.as("exportedAt"))
    .groupBy("products.id")
    .orderBy("position")
    .orderBy("products.id")
    .execute();
  return rows.map(({ id, title, color, description, priceCents, images, sizes, hidden, exportedAt }) => ({
    id,
    title,
    color,
    description,
    price: dollars(usdCents(priceCents)),
    images: images.map(picture),
    sizes,
    quantity: Object.values(sizes).reduce((sum, units) => sum + units, 0),
    ...(hidden && { hidden }),
    exportedAt: exportedAt.toISOString(),
  }));
}
