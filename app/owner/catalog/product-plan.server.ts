import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { PreparedProduct } from "#app/catalog/documents/product.server.ts";
import { ONE_SIZE } from "#app/catalog/sizes.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { dollars, type UsdCents, usdCents } from "#app/money/money.ts";
import type { ProductDetails, ProductImage, ProductKind } from "#db/types.ts";
import { doubtOfPrice, doubtOfStock } from "../doubts.ts";

/** What a document says of a product, as a person reads it: dollars, hashes of pictures, pieces in stock by size. */
export type Fields = {
  title?: string;
  color?: string;
  description?: string;
  price?: number;
  kinds?: ProductKind[];
  finalSale?: boolean;
  details?: ProductDetails;
  hidden?: boolean;
  images?: string[];
  sizes?: Record<string, number>;
};
/** A product that is written: `before` holds what changes, as it is now; undefined for a new one. */
export type Planned = { id: string; before?: Fields; after: Fields; priceCents?: UsdCents; images?: ProductImage[] };
export type ProductPlan = {
  created: Planned[];
  changed: Planned[];
  unchanged: string[];
  /** Stock that the documents name otherwise than it is, and that is left alone. */
  leftAlone: string[];
  /** What looks like a mistake, a line each. */
  doubts: string[];
  problems: PlanProblem[];
};
/** Why a product cannot be imported as its document has it; `field` is that of the document. */
export type PlanProblem = { id: string; field: string; text: string };
/** `withStock`: what the documents say of stock counts for known products, too. */
export type PlanOptions = { withStock: boolean };
type Known = NonNullable<ReturnType<Awaited<ReturnType<typeof findKnown>>["get"]>>;

/** What becomes of products when these documents are imported. In a transaction, what may change is locked until it ends. */
export async function planProducts(
  on: Db | Transaction,
  products: PreparedProduct[],
  { withStock }: PlanOptions,
): Promise<ProductPlan> {
  const plan: ProductPlan = { created: [], changed: [], unchanged: [], leftAlone: [], doubts: [], problems: [] };
  const known = await findKnown(on, products, { sizes: withStock && on.isTransaction, products: on.isTransaction });
  for (const product of products) {
    const row = known.get(product.id);
    if (row) planChange(plan, product, row, withStock);
    else planNew(plan, product);
  }
  return plan;
}

async function findKnown(
  on: Db | Transaction,
  products: PreparedProduct[],
  lock: { sizes: boolean; products: boolean },
) {
  const ids = products.map(({ id }) => id);
  const sizes = await on
    .selectFrom("productSizes")
    .select(["productId", "size", "onHand", "reserved", "changedAt"])
    .where(sql<boolean>`product_id = any(${ids}::text[])`)
    .orderBy("productId")
    .orderBy("size")
    .$if(lock.sizes, (query) => query.forNoKeyUpdate())
    .execute();
  const rows = await on
    .selectFrom("products")
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .orderBy("id")
    .$if(lock.products, (query) => query.forNoKeyUpdate())
    .execute();
  const sizesOf = Map.groupBy(sizes, ({ productId }) => productId);
  return new Map(rows.map((row) => [row.id, { ...row, sizes: sizesOf.get(row.id) ?? [] }]));
}

function planNew(plan: ProductPlan, { id, images, quantity = 0, ...given }: PreparedProduct): void {
  const { title, color = "", description = "", price, kinds = [], finalSale = false, hidden = false, sizes } = given;
  const missing = (field: string) => plan.problems.push({ id, field, text: `${id} is new: its ${field} is missing` });
  if (title === undefined) missing("title");
  if (price === undefined) missing("price");
  if (title === undefined || price === undefined) return;
  plan.doubts.push(...doubtOfPrice(id, undefined, price));
  const after: Fields = {
    title,
    color,
    description,
    price: dollars(price),
    kinds,
    finalSale,
    details: withDetails({}, given.details),
    ...(hidden && { hidden }),
    images: (images ?? []).map(({ hash }) => hash),
    sizes: Object.keys(sizes).length > 0 ? sizes : { [ONE_SIZE]: quantity },
  };
  plan.created.push({ id, after, priceCents: price, images });
}

function planChange(plan: ProductPlan, given: PreparedProduct, row: Known, withStock: boolean): void {
  const { id, title, color, description, price, kinds, finalSale, hidden } = given;
  const images = given.images?.map((image) => ({ ...image, alt: image.alt || (title ?? row.title) }));
  const hashes = (list?: ProductImage[]) => list?.map(({ hash }) => hash);
  const now: Fields = {
    title: row.title,
    color: row.color,
    description: row.description,
    price: dollars(usdCents(row.priceCents)),
    kinds: row.kinds,
    finalSale: row.finalSale,
    details: row.details,
    hidden: row.hidden,
    images: hashes(row.images),
  };
  const wanted: Fields = {
    title,
    color,
    description,
    price: price === undefined ? undefined : dollars(price),
    kinds,
    finalSale,
    details: given.details && withDetails(row.details, given.details),
    hidden,
    images: hashes(images),
  };
  const names = (Object.keys(now) as (keyof Fields)[]).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], now[name]),
  );
  const stock = planStock(plan, given, row, withStock);
  if (names.length === 0 && !stock) return void plan.unchanged.push(id);
  if (price !== undefined) plan.doubts.push(...doubtOfPrice(id, usdCents(row.priceCents), price));
  const of = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  plan.changed.push({
    id,
    before: { ...of(now), ...(stock && { sizes: stock.before }) },
    after: { ...of(wanted), ...(stock && { sizes: stock.after }) },
    priceCents: names.includes("price") ? price : undefined,
    images: names.includes("images") ? images : undefined,
  });
}

/** What a document says of some details; the others stay, and an empty one is none. */
function withDetails(known: ProductDetails, given: ProductDetails = {}): ProductDetails {
  return Object.fromEntries(Object.entries({ ...known, ...given }).filter(([, text]) => text));
}

/** Stock is changed only when that is wanted; a size that the product has not had yet begins with what the document says. */
function planStock(plan: ProductPlan, given: PreparedProduct, row: Known, withStock: boolean) {
  const { id, exportedAt } = given;
  const before: Record<string, number> = {};
  const after: Record<string, number> = {};
  for (const [size, onHand] of Object.entries(stockOf(given, row))) {
    const known = row.sizes.find((one) => one.size === size);
    if (known?.onHand === onHand) continue;
    if (known && !withStock) {
      plan.leftAlone.push(`${id} ${size}: ${onHand} in the file, ${known.onHand} in stock`);
      continue;
    }
    if (known) {
      before[size] = known.onHand;
      if (onHand < known.reserved)
        plan.problems.push({
          id,
          field: `sizes.${size}`,
          text: `${id} ${size}: ${known.reserved} are held by running payments: not below that`,
        });
      plan.doubts.push(...doubtOfStock(`${id} ${size}`, known.onHand, onHand));
      if (exportedAt && known.changedAt > exportedAt)
        plan.doubts.push(
          `${id} ${size}: ${known.onHand} now and ${onHand} in the file, which was exported before the last change of its stock`,
        );
    }
    after[size] = onHand;
  }
  return Object.keys(after).length > 0 ? { before, after } : undefined;
}

/** The sizes that a document names; a quantity is that of the one size, where the product has no others. */
function stockOf({ sizes, quantity }: PreparedProduct, row: Known): Record<string, number> {
  if (Object.keys(sizes).length > 0) return sizes;
  const hasOthers = row.sizes.some(({ size }) => size !== ONE_SIZE);
  return hasOthers || quantity === undefined ? {} : { [ONE_SIZE]: quantity };
}
