import { setImmediate as pause } from "node:timers/promises";
import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "#app/infra/database/db.server.ts";
import { type Misfit, readDocument } from "#app/infra/document/read.ts";
import { time } from "#app/infra/document/time-field.ts";
import type { MayReach } from "#app/infra/http/client.server.ts";
import { isPublicAddress } from "#app/infra/http/public-address.ts";
import { dollars, usdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";
import { KIND_NAMES, PLACEHOLDER_IMAGE } from "../product.ts";
import { MOST_IN_STOCK, ONE_SIZE, SIZES } from "../sizes.ts";
import { dollarsField, productId } from "./fields.ts";
import { importPicture, ownHash } from "./picture-import.server.ts";

const MOST_LETTERS = 500;
const detail = z.string().trim().max(MOST_LETTERS, `has more than ${MOST_LETTERS} letters`).optional();

const pieces = z
  .int("is no whole number of pieces")
  .min(0, "is no number of pieces")
  .max(MOST_IN_STOCK, `is more than ${MOST_IN_STOCK}`);

/**
 * A product in the specification's shape, with a description, its kinds, whether it is on final sale, and details of which an empty one is taken out; `sizes` has the stock of each size, `quantity` that of a product with the one size, and
 * `exportedAt` the time at which that was so. Fields that are missing leave the product as it is; only a new product needs a title and a price.
 */
const document = z.object({
  id: productId,
  title: z.string().trim().min(1, "the title is missing").max(200).optional(),
  color: z.string().trim().max(100).optional(),
  description: z.string().max(5000).optional(),
  price: dollarsField("price in dollars, like 49.99", 1).optional(),
  kinds: z
    .array(z.enum(KIND_NAMES, `kinds are ${KIND_NAMES.join(", ")}`))
    .transform((kinds) => KIND_NAMES.filter((kind) => kinds.includes(kind)))
    .optional(),
  finalSale: z.boolean("is true or false, in a table yes or no").optional(),
  details: z.strictObject({ fabric: detail, fit: detail, back: detail, care: detail, origin: detail }).optional(),
  images: z.array(z.string().min(1)).max(20).optional(),
  sizes: z
    .partialRecord(z.enum([...SIZES, ONE_SIZE], `sizes are ${SIZES.join(" ")}, or ${ONE_SIZE}`), pieces)
    .default({}),
  quantity: pieces.optional(),
  hidden: z.boolean().optional(),
  exportedAt: time.optional(),
});
/** For messages about documents that are wrong. */
const named = z.object({ id: z.coerce.string() });
/** The fields of a product document; others are ignored. */
export const PRODUCT_FIELDS = Object.keys(document.shape);
export type PreparedProduct = Omit<z.infer<typeof document>, "images"> & { images?: ProductImage[] };
/** What is wrong with the document of that number, counted from 1. */
export type ProductProblem = Misfit & { number: number; id: string };
export type Prepared = { products: PreparedProduct[]; problems: ProductProblem[] };

export function problemText({ number, id, field, reason }: ProductProblem): string {
  return `product ${number} (${id})${field && `, ${field}`}: ${reason}`;
}

type Options = {
  /** Is called with the number of products done. */
  onProgress?: (done: number) => void;
  mayReach?: MayReach;
  /** Pictures that are known to be here, by their hashes. */
  pictures?: ReadonlyMap<string, ProductImage>;
  /** Sizes that are not known are problems, and the product is read without them, unless it has no other ones. */
  skipSizes?: boolean;
};

/**
 * Reads product documents and their pictures: files in `folder` (none without one), addresses on the public internet, or pictures that the shop has already.
 * Writes nothing but pictures. `problems` has everything that is wrong; a product without one of its pictures or sizes is among the products all the same.
 */
export async function prepareProducts(
  given: unknown[],
  folder: string | undefined,
  { onProgress, mayReach = isPublicAddress, skipSizes = false, pictures }: Options = {},
): Promise<Prepared> {
  const prepared: Prepared = { products: [], problems: [] };
  const ids = new Set<string>();
  for (const [index, one] of given.entries()) {
    const problem = ({ field, reason }: Misfit) =>
      prepared.problems.push({
        number: index + 1,
        id: named.safeParse(one).data?.id ?? "without an id",
        field,
        reason,
      });
    const { value, misfits } = readProduct(one, skipSizes);
    misfits.forEach(problem);
    if (value && ids.has(value.id)) problem({ field: "", reason: "the id is there twice" });
    if (!value || ids.has(value.id)) continue;
    ids.add(value.id);
    const { images, ...product } = value;
    const shown: ProductImage[] = [];
    for (const source of images?.filter((one) => one !== PLACEHOLDER_IMAGE) ?? []) {
      try {
        const known = pictures?.get(ownHash(source) ?? "");
        const alt = product.title ?? "";
        shown.push(known ? { ...known, alt } : await importPicture(source, folder, alt, mayReach));
      } catch (error) {
        problem({ field: "images", reason: `${source}: ${(error as Error).message}` });
      }
    }
    prepared.products.push({ ...product, images: images && shown });
    onProgress?.(index + 1);
    if (index % PAUSE_AFTER === 0) await pause(); // others wait for this process, too
  }
  return prepared;
}

const PAUSE_AFTER = 200;

function readProduct(given: unknown, skipSizes: boolean) {
  const sizeOf = (path: readonly PropertyKey[]) => (skipSizes && path[0] === "sizes" ? path.slice(0, 2) : undefined);
  const read = readDocument((one) => document.parse(one), given, sizeOf);
  const isLeft = Object.keys(read.value?.sizes ?? {}).length > 0;
  return read.misfits.length > 0 && !isLeft ? { misfits: read.misfits } : read;
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
  return rows.map(({ priceCents, images, sizes, hidden, exportedAt, ...row }) => ({
    id: row.id,
    title: row.title,
    color: row.color,
    description: row.description,
    price: dollars(usdCents(priceCents)),
    kinds: row.kinds,
    finalSale: row.finalSale,
    details: row.details,
    images: images.map(picture),
    sizes,
    quantity: Object.values(sizes).reduce((sum, units) => sum + units, 0),
    ...(hidden && { hidden }),
    exportedAt: exportedAt.toISOString(),
  }));
}
