import { type ExpressionBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { type Filters, MOST_COUNTED } from "#app/catalog/filter/filters.ts";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { usdCents } from "#app/money/money.ts";
import type { Database, ProductKind } from "#db/types.ts";
import { KIND_NAMES, type KindCount, type Product, type ProductCard } from "./product.ts";
import { rateInForceSql } from "./rates.server.ts";
import { matchingQuery, rankingQuery, searchWords } from "./search/words.ts";
import { inOrder } from "./sizes.ts";

/** The units of each size that can be bought, in the same query as the product. */
function withSizes(eb: ExpressionBuilder<Database, "products">) {
  return jsonArrayFrom(
    eb
      .selectFrom("productSizes as s")
      .whereRef("s.productId", "=", "products.id")
      .select(["s.size", sql<number>`s.on_hand - s.reserved`.as("available")]),
  ).as("sizes");
}

const CARD_COLUMNS = ["products.id", "title", "color", "priceCents", "images", "inStock"] as const;
const COLUMNS = [
  "products.id",
  "title",
  "color",
  "description",
  "priceCents",
  "kinds",
  "finalSale",
  "details",
  "images",
] as const;

// Nothing here but getProducts finds hidden products.

/** The products that match, sold-out ones last. */
export async function listProducts(on: Db, filters: Partial<Filters> = {}): Promise<Product[]> {
  const rows = await matching(on, filters).select(COLUMNS).select(withSizes).execute();
  return rows.map(toProduct);
}

/** The first `most` of them as a list shows them. */
export async function listCards(on: Db, filters: Partial<Filters>, most: number): Promise<ProductCard[]> {
  return (await matching(on, filters).select(CARD_COLUMNS).select(withSizes).limit(most).execute()).map(toCard);
}

/** The same, and how many match in all: the count ends at `MOST_COUNTED` + 1. */
export async function listAndCountCards(
  on: Db,
  filters: Partial<Filters>,
  most: number,
): Promise<{ found: ProductCard[]; total: number }> {
  const counted = fitting(on, filters)
    .select("products.id")
    .limit(MOST_COUNTED + 1);
  const rows = await matching(on, filters)
    .select(CARD_COLUMNS)
    .select(withSizes)
    .select(on.selectFrom(counted.as("counted")).select(sql<number>`count(*)::int`.as("count")).as("total"))
    .limit(most)
    .execute();
  return { found: rows.map(({ total: _, ...row }) => toCard(row)), total: rows[0]?.total ?? 0 };
}

function matching(on: Db, filters: Partial<Filters>) {
  const { search, sort = "newest" } = filters;
  if (search && sort === "newest") return ranked(on, fitting(on, filters), search);
  let query = fitting(on, filters).orderBy("inStock", "desc");
  if (sort === "price-up") query = query.orderBy("priceCents");
  if (sort === "price-down") query = query.orderBy("priceCents", "desc");
  return query.orderBy("position").orderBy("products.id");
}

/** Those with most of the words first. Of very many only the first `MOST_COUNTED` are ranked: ranking all would take longest of all. */
function ranked(on: Db, fits: ReturnType<typeof fitting>, search: string) {
  const first = fits
    .select("products.id")
    .orderBy("inStock", "desc")
    .orderBy("position")
    .orderBy("products.id")
    .limit(MOST_COUNTED + 1);
  return on
    .selectFrom("products")
    .where("products.id", "in", first)
    .orderBy("inStock", "desc")
    .orderBy(sql`ts_rank(search, to_tsquery('english', ${rankingQuery(searchWords(search))}))`, "desc")
    .orderBy("position")
    .orderBy("products.id");
}

/** In kobo. */
const ONE_NAIRA = 100;

function fitting(on: Db, filters: Partial<Filters>) {
  const { kind, size, color, currency, min, max, available, search } = filters;
  let query = on.selectFrom("products").where("hidden", "=", false);
  if (kind) query = query.where(sql<boolean>`kinds @> ${sql.lit(`{${kind}}`)}`); // as it stands, so that the planner knows how many there are
  if (size) {
    query = query.where(
      sql<boolean>`exists (select from product_sizes s where s.product_id = products.id and s.size = ${size} and s.on_hand > s.reserved)`,
    );
  }
  if (color) query = query.where("color", "=", color);
  const isNaira = currency === "NGN";
  const cents = (amount: number) => (isNaira ? centsFor(amount) : amount);
  if (min !== undefined) query = query.where("priceCents", ">", cents(min - (isNaira ? ONE_NAIRA : 1)));
  if (max !== undefined) query = query.where("priceCents", "<=", cents(max));
  if (available) query = query.where("inStock", "=", true);
  if (search) query = query.where(matches(matchingQuery(searchWords(search), "each")));
  return query;
}

/** The highest price in cents for which at most so many kobo are charged: a charge is rounded up to a whole naira. */
function centsFor(kobo: number) {
  return sql<number>`floor(${kobo} / ${rateInForceSql})::bigint`;
}

function matches(query: string) {
  return sql<boolean>`search @@ to_tsquery('english', ${query})`;
}

/** The first `most` products to which any of the words of `search` leads, those with most of them first. */
export async function listCardsOfAnyWord(on: Db, search: string, most: number): Promise<ProductCard[]> {
  const fits = fitting(on, {}).where(matches(matchingQuery(searchWords(search), "any")));
  return (await ranked(on, fits, search).select(CARD_COLUMNS).select(withSizes).limit(most).execute()).map(toCard);
}

/** Null where there is no such product, or it is hidden. */
export async function getProduct(on: Db, id: string): Promise<Product | null> {
  const row = await on
    .selectFrom("products")
    .select(COLUMNS)
    .select(withSizes)
    .where("products.id", "=", id)
    .where("hidden", "=", false)
    .executeTakeFirst();
  return row ? toProduct(row) : null;
}

/** By id, hidden ones too, of which nothing can be bought: carts may still have them. */
export async function getProducts(on: Db | Transaction, ids: string[]): Promise<Map<string, Product>> {
  if (ids.length === 0) return new Map();
  const rows = await on
    .selectFrom("products")
    .select(COLUMNS)
    .select(withSizes)
    .select("hidden")
    .where("products.id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, toProduct(row)]));
}

/** How many products of the list, after this one and from the start, are searched for ones that go with it. */
const NEAR = 40;

/** Up to `most` other products that can be bought: those of a shared kind first, in the list's order after this one. */
export async function listOthers(on: Db, id: string, most: number): Promise<ProductCard[]> {
  const own = on.selectFrom("products as own").where("own.id", "=", id);
  const isFurther = sql<boolean>`position > (${own.select("own.position")})`;
  const inOrderOfList = on
    .selectFrom("products")
    .select("products.id")
    .where("hidden", "=", false)
    .where("inStock", "=", true)
    .where("products.id", "<>", id)
    .orderBy("position")
    .orderBy("products.id")
    .limit(NEAR);
  const rows = await on
    .selectFrom("products")
    .select(CARD_COLUMNS)
    .select(withSizes)
    .where(
      "products.id",
      "in",
      on
        .selectFrom(inOrderOfList.where(isFurther).as("further"))
        .select("further.id")
        .union(on.selectFrom(inOrderOfList.as("first")).select("first.id")),
    )
    .orderBy(sql`kinds && (${own.select("own.kinds")})`, "desc")
    .orderBy(isFurther, "desc")
    .orderBy("position")
    .orderBy("products.id")
    .limit(most)
    .execute();
  return rows.map(toCard);
}

const colors = statement(
  { takes: {}, gives: { color: sqlType.text } },
  `with recursive colors as (
     (select color from products where not hidden order by color limit 1)
     union all
     select (select p.color from products p where p.color > c.color and not hidden order by p.color limit 1) from colors c where c.color is not null
   )
   select color from colors where color is not null`,
);

/** The colours for the filter: read from one to the next along the index, not through all products. */
export const listColors: (on: Db) => Promise<string[]> = batched(async (on) =>
  (await colors(on)).map(({ color }) => color),
);

const kindCounts = statement(
  { takes: {}, gives: { kind: sqlType.textOf<ProductKind>(), count: sqlType.int } },
  KIND_NAMES.map(
    (kind) => `select '${kind}' as kind, count(*)::int as count
      from (select from products where not hidden and kinds @> '{${kind}}' limit ${MOST_COUNTED + 1}) ${kind}`,
  ).join(" union all "),
);

/** How many products there are of each kind, in the kinds' order: counted to `MOST_COUNTED` + 1, and only those of which there are any. */
export const countKinds: (on: Db) => Promise<KindCount[]> = batched(async (on) =>
  (await kindCounts(on)).filter(({ count }) => count > 0),
);

type Row = Omit<Product, "priceCents"> & { priceCents: number };

function toProduct(row: Row): Product {
  const sizes = row.hidden ? row.sizes.map(({ size }) => ({ size, available: 0 })) : row.sizes;
  return { ...row, priceCents: usdCents(row.priceCents), sizes: inOrder(sizes) };
}

type CardRow = Pick<Row, "id" | "title" | "color" | "priceCents" | "images" | "sizes"> & { inStock: boolean };

function toCard({ priceCents, images: [front, back], sizes, inStock, ...row }: CardRow): ProductCard {
  const sizesInStock = inOrder(sizes).flatMap(({ size, available }) => (available > 0 ? size : []));
  return { ...row, priceCents: usdCents(priceCents), front, back: back?.hash, sizesInStock, soldOut: !inStock };
}
