import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Prepared, PreparedProduct } from "#app/catalog/documents/product.server.ts";
import { eachFlag, filledDetails, type ProductFacts } from "#app/catalog/product-fields.ts";
import { EITHER_SORT, isMixed, ONE_SIZE } from "#app/catalog/sizes.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { dollars, type UsdCents, usdCents } from "#app/money/money.ts";
import type { ProductImage } from "#db/types.ts";
import { doubtOfPrice, doubtOfStock } from "../doubts.ts";

/** The values of a product in the form in which people see them: dollars, hashes of pictures, stock by size. */
export type Fields = Partial<Omit<ProductFacts, "priceCents">> & {
  price?: number;
  hidden?: boolean;
  images?: string[];
  sizes?: Record<string, number>;
};
/** A product to be written. `before` has the current values of the changed fields; undefined for a new product. */
export type Planned = { id: string; before?: Fields; after: Fields; priceCents?: UsdCents; images?: ProductImage[] };
export type ProductPlan = {
  created: Planned[];
  changed: Planned[];
  unchanged: string[];
  /** Stock that differs from the documents but is not changed. */
  leftAlone: string[];
  /** Changes that look like mistakes, one line each. */
  doubts: string[];
  problems: PlanProblem[];
};
/** Why a product cannot be imported. `number` is that of its document, and `field` the document's field. */
export type PlanProblem = { number: number; id: string; field: string; text: string };
/** `withStock`: whether the stock in the documents also applies to existing products. */
export type PlanOptions = { withStock: boolean };
type Known = NonNullable<ReturnType<Awaited<ReturnType<typeof findKnown>>["get"]>>;

/** Plans the import of product documents. Within a transaction, the rows that may change are locked. */
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

/** The plan of an import that includes refused documents. Leaves out problems that the preparation has reported. */
export async function planPrepared(
  on: Db,
  { products, refused, problems }: Prepared,
  options: PlanOptions,
): Promise<ProductPlan> {
  const place = ({ number, field }: { number: number; field: string }) => `${number} ${field}`;
  const known = new Set(problems.map(place));
  const plan = await planProducts(on, [...products, ...refused], options);
  return { ...plan, problems: plan.problems.filter((one) => !known.has(place(one))) };
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

function planNew(plan: ProductPlan, { number, id, images, quantity = 0, ...given }: PreparedProduct): void {
  const { title, color = "", description = "", kinds = [], hidden = false, sizes } = given;
  const price = given.normalPrice ?? given.price;
  const missing = (field: string) =>
    plan.problems.push({ number, id, field, text: `${id} is new: its ${field} is missing` });
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
    ...eachFlag((name) => given[name] ?? false),
    details: filledDetails(given.details ?? {}),
    ...(hidden && { hidden }),
    images: (images ?? []).map(({ hash }) => hash),
    sizes: Object.keys(sizes).length > 0 ? sizes : { [ONE_SIZE]: quantity },
  };
  plan.created.push({ id, after, priceCents: price, images });
}

function planChange(plan: ProductPlan, given: PreparedProduct, row: Known, withStock: boolean): void {
  const { number, id } = given;
  const isSalePrice = given.price === row.priceCents;
  const price = given.normalPrice ?? (isSalePrice ? undefined : given.price);
  if (row.normalCents !== null && price === row.normalCents && given.price !== price && !isSalePrice)
    plan.problems.push({ number, id, field: "price", text: `${id} is on sale: change its normalPrice` });
  const images = given.images?.map((image) => ({ ...image, alt: image.alt || (given.title ?? row.title) }));
  const details = given.details && filledDetails({ ...row.details, ...given.details });
  const normal = usdCents(row.normalCents ?? row.priceCents);
  const now = fieldsOf({ ...row, priceCents: normal });
  const wanted = fieldsOf({ ...given, priceCents: price, details, images });
  const names = (Object.keys(now) as (keyof Fields)[]).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], now[name]),
  );
  const stock = planStock(plan, given, row, withStock);
  if (names.length === 0 && !stock) return void plan.unchanged.push(id);
  if (price !== undefined) plan.doubts.push(...doubtOfPrice(id, normal, price));
  const of = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  plan.changed.push({
    id,
    before: { ...of(now), ...(stock && { sizes: stock.before }) },
    after: { ...of(wanted), ...(stock && { sizes: stock.after }) },
    priceCents: names.includes("price") ? price : undefined,
    images: names.includes("images") ? images : undefined,
  });
}

type Given = Partial<ProductFacts> & { hidden?: boolean; images?: ProductImage[] };

/** The values as people see them; undefined where nothing is given. */
function fieldsOf({ title, color, description, priceCents, kinds, details, hidden, images, ...flags }: Given): Fields {
  return {
    title,
    color,
    description,
    price: priceCents === undefined ? undefined : dollars(priceCents),
    kinds,
    ...eachFlag((name) => flags[name]),
    details,
    hidden,
    images: images?.map(({ hash }) => hash),
  };
}

/**
 * The stock after an import. Existing sizes change only with `withStock`; a new size starts with the document's number.
 */
function planStock(plan: ProductPlan, given: PreparedProduct, row: Known, withStock: boolean) {
  const { number, id, exportedAt } = given;
  const before: Record<string, number> = {};
  const after: Record<string, number> = {};
  for (const [size, onHand] of Object.entries(stockOf(given, row))) {
    const known = row.sizes.find((one) => one.size === size);
    if (known && (known.onHand === onHand || given.uncounted?.includes(size))) continue;
    if (known && !withStock) {
      plan.leftAlone.push(`${id} ${size}: ${onHand} in the file, ${known.onHand} in stock`);
      continue;
    }
    if (known) {
      before[size] = known.onHand;
      if (onHand < known.reserved)
        plan.problems.push({
          number,
          id,
          field: `sizes.${size}`,
          text: `${id} ${size}: ${known.reserved} are reserved for payments under way, and the stock can’t go below that`,
        });
      plan.doubts.push(...doubtOfStock(`${id} ${size}`, known.onHand, onHand));
      if (exportedAt && known.changedAt > exportedAt)
        plan.doubts.push(
          `${id} ${size}: ${known.onHand} now and ${onHand} in the file, which was exported before the last change of its stock`,
        );
    }
    const has = row.sizes.map((one) => one.size);
    if (!known && !isMixed(has) && isMixed([...has, size])) {
      const text = `${id} ${size}: it has ${has.join(", ")} already, and ${EITHER_SORT}`;
      plan.problems.push({ number, id, field: `sizes.${size}`, text });
    }
    after[size] = onHand;
  }
  return Object.keys(after).length > 0 ? { before, after } : undefined;
}

/** The stock that a document names by size. `quantity` applies only if the product has no sizes to choose. */
function stockOf({ sizes, quantity }: PreparedProduct, row: Known): Record<string, number> {
  if (Object.keys(sizes).length > 0) return sizes;
  const hasOthers = row.sizes.some(({ size }) => size !== ONE_SIZE);
  return hasOthers || quantity === undefined ? {} : { [ONE_SIZE]: quantity };
}
