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
import { kindsField } from "../kind-field.server.ts";
import { CARD_IN_FORCE, inForceSql } from "../prices/in-force.server.ts";
import { PLACEHOLDER_IMAGE } from "../product.ts";
import { DETAILS, eachDetail, eachFlag, MOST_LETTERS } from "../product-fields.ts";
import { EITHER_SORT, isMixed, MOST_IN_STOCK, ONE_SIZE, SIZES } from "../sizes.ts";
import { detailField, dollarsField, productId } from "./fields.ts";
import { importPicture, ownHash } from "./picture-import.server.ts";

const letters = (most: number) => z.string().trim().max(most, `has more than ${most} letters`);
const yesOrNo = z.boolean("is true or false, in a table yes or no").optional();

const pieces = z
  .int("isn’t a whole number of pieces")
  .min(0, "is no number of pieces")
  .max(MOST_IN_STOCK, `is more than ${MOST_IN_STOCK}`);

/**
 * The shape of a product document: the specification's product, plus description, kinds, flags and details (an
 * empty detail removes it). `sizes` is the stock by size, `quantity` the stock of a product with only one size,
 * `normalPrice` the price without the sale that `price` may be of, `exportedAt` the time of these numbers. A missing
 * field leaves the product's value unchanged; only a new product needs a title and a price.
 */
const document = z.object({
  id: productId,
  title: letters(200).min(1, "the title is missing").optional(),
  color: letters(100).optional(),
  description: z.string().max(5000, "has more than 5000 letters").optional(),
  price: dollarsField("a price in dollars, like 49.99", 1).optional(),
  normalPrice: dollarsField("a price in dollars, like 49.99", 1).optional(),
  kinds: kindsField.optional(),
  ...eachFlag(() => yesOrNo),
  details: z
    .strictObject(eachDetail((name) => detailField(DETAILS[name], `has more than ${MOST_LETTERS} letters`).optional()))
    .optional(),
  images: z.array(z.string().min(1)).max(20, "has more than 20").optional(),
  sizes: z
    .partialRecord(z.enum([...SIZES, ONE_SIZE], `sizes are ${SIZES.join(" ")}, or ${ONE_SIZE}`), pieces)
    .refine((sizes) => !isMixed(Object.keys(sizes)), { path: [ONE_SIZE], error: EITHER_SORT })
    .default({}),
  quantity: pieces.optional(),
  hidden: yesOrNo,
  exportedAt: time.optional(),
});
/** The id alone, for error messages about invalid documents. */
const named = z.object({ id: z.coerce.string() });
/** The field names of a product document. Other fields are ignored. */
export const PRODUCT_FIELDS = Object.keys(document.shape);
/**
 * `number` is the position of the document, counted from 1. The stock of `uncounted` sizes is only for new ones, also
 * with stock.
 */
export type PreparedProduct = Omit<z.infer<typeof document>, "images"> & {
  number: number;
  images?: ProductImage[];
  uncounted?: string[];
};
/** A problem with one document. `number` is its position, counted from 1. */
export type ProductProblem = Misfit & { number: number; id: string };
/**
 * `refused` holds documents that must not be written, as far as they are readable, so that the caller can report all
 * their problems at once.
 */
export type Prepared = { products: PreparedProduct[]; problems: ProductProblem[]; refused: PreparedProduct[] };

export function problemText({ number, id, field, reason }: ProductProblem): string {
  return `product ${number} (${id})${field && `, ${field}`}: ${reason}`;
}

type Options = {
  /** Called with the number of documents done so far. */
  onProgress?: (done: number) => void;
  mayReach?: MayReach;
  /** Pictures that the shop has already, by hash. */
  pictures?: ReadonlyMap<string, ProductImage>;
  /**
   * Unknown sizes, and ONE beside others, are reported as problems, but the product is read without them, unless no
   * other size remains.
   */
  skipSizes?: boolean;
};

/**
 * Reads product documents and their pictures. A picture is a file in `folder` (if given), a URL on the public internet,
 * or a picture that the shop has already. Only pictures are written. `problems` lists everything that is wrong. A
 * product with a missing picture or size is still among the products.
 */
export async function prepareProducts(
  given: unknown[],
  folder: string | undefined,
  { onProgress, mayReach = isPublicAddress, skipSizes = false, pictures }: Options = {},
): Promise<Prepared> {
  const prepared: Prepared = { products: [], problems: [], refused: [] };
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
    const given = value ?? readWithoutMisfits(one);
    if (!given) continue;
    const isTwice = ids.has(given.id);
    if (isTwice) problem({ field: "", reason: ID_TWICE });
    ids.add(given.id);
    const { images, ...product } = given;
    const shown: ProductImage[] = [];
    const isRefused = !value || isTwice;
    for (const source of images?.filter((one) => one !== PLACEHOLDER_IMAGE) ?? []) {
      const known = pictures?.get(ownHash(source) ?? "");
      if (isRefused && !known && IS_FAR.test(source)) continue; // nothing is fetched for a refused document
      try {
        const alt = product.title ?? "";
        shown.push(known ? { ...known, alt } : await importPicture(source, folder, alt, mayReach));
      } catch (error) {
        problem({ field: "images", reason: `${source}: ${(error as Error).message}` });
      }
    }
    const list = isRefused ? prepared.refused : prepared.products;
    list.push({ ...product, number: index + 1, images: images && shown });
    onProgress?.(index + 1);
    if (index % PAUSE_AFTER === 0) await pause(); // lets other requests of this process run
  }
  return prepared;
}

const PAUSE_AFTER = 200;
const IS_FAR = /^https?:/i;
export const ID_TWICE = "the id is there twice";

function readProduct(given: unknown, skipSizes: boolean) {
  const sizeOf = (path: readonly PropertyKey[]) => (skipSizes && path[0] === "sizes" ? path.slice(0, 2) : undefined);
  const read = readDocument((one) => document.parse(one), given, sizeOf);
  const isLeft = Object.keys(read.value?.sizes ?? {}).length > 0;
  return read.misfits.length > 0 && !isLeft ? { misfits: read.misfits } : read;
}

/** The valid parts of a document, if they are enough to identify its product. */
function readWithoutMisfits(given: unknown) {
  const entryOf = ([first, second]: readonly PropertyKey[]) =>
    first === undefined || first === "id" ? undefined : typeof second === "string" ? [first, second] : [first];
  return readDocument((one) => document.parse(one), given, entryOf).value;
}

/** All products as documents, with their stock on hand. `picture` returns the URL of a picture. */
export async function productDocuments(on: Db, picture: (image: ProductImage) => string) {
  const rows = await on
    .selectFrom("products")
    .innerJoin("productSizes", "productId", "products.id")
    .selectAll("products")
    .select([...CARD_IN_FORCE, sql<number | null>`${sql.raw(inForceSql("normal_cents"))}`.as("normalCents")])
    .select(sql<Record<string, number>>`json_object_agg(size, on_hand)`.as("sizes"))
    .select(sql<Date>`now()`.as("exportedAt"))
    .groupBy("products.id")
    .orderBy("position")
    .orderBy("products.id")
    .execute();
  return rows.map(({ priceCents, normalCents, images, sizes, hidden, exportedAt, ...row }) => ({
    id: row.id,
    title: row.title,
    color: row.color,
    description: row.description,
    price: dollars(usdCents(priceCents)),
    ...(normalCents && { normalPrice: dollars(usdCents(normalCents)) }),
    kinds: row.kinds,
    ...eachFlag((name) => row[name]),
    details: row.details,
    images: images.map(picture),
    sizes,
    quantity: Object.values(sizes).reduce((sum, units) => sum + units, 0),
    ...(hidden && { hidden }),
    exportedAt: exportedAt.toISOString(),
  }));
}
