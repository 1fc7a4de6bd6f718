import { type ExpressionBuilder, type SelectQueryBuilder, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { IS_SHOWN } from "#app/catalog/collections/collections.server.ts";
import { type Filters, MOST_COUNTED } from "#app/catalog/filter/filters.ts";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { knownKinds } from "#app/infra/settings/shop-settings.server.ts";
import { usdCents } from "#app/money/money.ts";
import type { CollectionRule, Database, ProductImage, ProductKind } from "#db/types.ts";
import { familiesOf } from "./filter/color-words.server.ts";
import { isFirstOfModelSql, withModel } from "./models/models.server.ts";
import { CARD_IN_FORCE, IN_FORCE } from "./prices/in-force.server.ts";
import { type KindCount, MOST_COLORS, type Product, type ProductCard, type ProductColor } from "./product.ts";
import { FLAG_NAMES } from "./product-fields.ts";
import { rateInForceSql } from "./rates.server.ts";
import { matchingQuery, rankingQuery, searchWords } from "./search/words.ts";
import { inOrder } from "./sizes.ts";

/** The available units of each size, as a subquery of the product's query. */
function withSizes(eb: ExpressionBuilder<Database, "products">) {
  return jsonArrayFrom(
    eb
      .selectFrom("productSizes as s")
      .whereRef("s.productId", "=", "products.id")
      .select(["s.size", sql<number>`s.on_hand - s.reserved`.as("available")]),
  ).as("sizes");
}

const CARD_COLUMNS = ["products.id", "title", "color", "images", "inStock", ...CARD_IN_FORCE] as const;
/** The columns of a product's facts, apart from its price. */
export const FACTS = ["title", "color", "description", "kinds", ...FLAG_NAMES, "details"] as const;
const COLUMNS = ["products.id", ...FACTS, "images", ...IN_FORCE] as const;

/** A collection whose products are wanted. `colorNames`: the colours in the families of its rule, if it has some. */
export type WantedCollection = { id: string; rule: CollectionRule | null; colorNames?: string[] };
/**
 * The filters of a list, with the names of the colours that are in the chosen families. `byModel`: of each model, only
 * the first product in the list's order.
 */
export type Wanted = Partial<Omit<Filters, "colors">> & {
  kind?: ProductKind;
  colorNames?: string[];
  collection?: WantedCollection;
  byModel?: boolean;
};

// In this file only getProducts and idMeantBy find hidden products.

/** The products that match the filters, sold-out ones last. */
export async function listProducts(on: Db, filters: Wanted = {}): Promise<Product[]> {
  const rows = await matching(on, filters).select(COLUMNS).select(withSizes).execute();
  return rows.map(toProduct);
}

/** The first `most` products that match the filters, with the fields of a list. */
export async function listCards(on: Db, filters: Wanted, most: number): Promise<ProductCard[]> {
  return (await matching(on, filters).select(CARD_COLUMNS).select(withSizes).limit(most).execute()).map(toCard);
}

/** The fields of a list of those of these products that the shop shows, by id. */
export async function cardsOf(on: Db, ids: string[]): Promise<Map<string, ProductCard>> {
  if (ids.length === 0) return new Map();
  const shown = fitting(on, {}).where("products.id", "in", ids);
  const rows = await shown.select(CARD_COLUMNS).select(withSizes).execute();
  return new Map(rows.map((row) => [row.id, toCard(row)]));
}

/** The ids of the first `most` products that match the filters. */
export async function listIds(on: Db, filters: Wanted, most: number): Promise<string[]> {
  const rows = await matching(on, filters).select("products.id").limit(most).execute();
  return rows.map(({ id }) => id);
}

/** A part of a list: at most `most` products, after skipping the first `after`. */
export type Part = { after: number; most: number };

/**
 * A part of the list, and the total number of matches: of models, if they are wanted. The count stops at `MOST_COUNTED`
 * + 1, and is 0 if the part is empty.
 */
export async function listAndCountCards(
  on: Db,
  filters: Wanted,
  part: Part,
): Promise<{ found: ProductCard[]; total: number }> {
  const counted = (filters.byModel ? modelsFitting(on, filters) : fitting(on, filters).select("products.id")).limit(
    MOST_COUNTED + 1,
  );
  const rows = await partOf(on, filters, part)
    .select(CARD_COLUMNS)
    .select(withSizes)
    .$if(filters.byModel === true, (query) => query.select(withModel()))
    .select(on.selectFrom(counted.as("counted")).select(sql<number>`count(*)::int`.as("count")).as("total"))
    .execute();
  return { found: rows.map(({ total: _, ...row }) => toCard(row)), total: rows[0]?.total ?? 0 };
}

/** A part of the matching products. Models before it are skipped by their ids, without the colours of each. */
function partOf(on: Db, filters: Wanted, { after, most }: Part) {
  const list = matching(on, filters);
  if (!filters.byModel || isRanked(filters) || after === 0) return list.limit(most).offset(after);
  const ids = list.select("products.id").limit(most).offset(after);
  return inOrderOfList(on.selectFrom("products").where("products.id", "in", ids), filters);
}

function matching(on: Db, filters: Wanted) {
  const { byModel } = filters;
  if (isRanked(filters)) return ranked(on, fitting(on, filters), filters.search, byModel);
  const list = inOrderOfList(fitting(on, filters), filters);
  return byModel ? list.where(isFirstOfModelSql(list)) : list;
}

/** Whether the list's order is that of the search. */
function isRanked(filters: Wanted): filters is Wanted & { search: string } {
  const { search, sort = "newest" } = filters;
  return Boolean(search) && sort === "newest";
}

function inOrderOfList(products: ReturnType<typeof fitting>, { sort = "newest", collection }: Wanted) {
  let query = products.orderBy("inStock", "desc");
  if (sort === "newest" && collection) query = query.orderBy(placeInSql(collection.id));
  // With the table, since the price in force has the same name: it has no index, and all that fit would be sorted.
  if (sort === "price-up") query = query.orderBy("products.priceCents");
  if (sort === "price-down") query = query.orderBy("products.priceCents", "desc");
  return query.orderBy("position").orderBy("products.id");
}

/** The models of a list, each once. */
function modelsFitting(on: Db, filters: Wanted) {
  const fits = fitting(on, filters);
  const list = isRanked(filters) ? on.selectFrom("products").where("products.id", "in", firstOf(fits)) : fits;
  return list.select(sql<string>`model`.as("id")).distinct();
}

/**
 * The place of a product that was put into a collection, as a value in SQL. Null for those that its rule has added:
 * they come after the others.
 */
function placeInSql(collection: string) {
  const place = sql`select m.position from collection_products m where m.product_id = products.id and m.collection_id = ${collection}`;
  return sql<number>`(case when ${isPutInSql(collection)} then (${place}) end)`;
}

/**
 * Products with most of the search words first. If there are more than `MOST_COUNTED` matches, only the first ones are
 * ranked, since ranking all would be the slowest part of the query.
 */
function ranked(on: Db, fits: ReturnType<typeof fitting>, search: string, byModel = false) {
  const byRank = <Row>(query: SelectQueryBuilder<Database, "products", Row>) =>
    query
      .orderBy("inStock", "desc")
      .orderBy(sql`ts_rank(search, to_tsquery('english', ${rankingQuery(searchWords(search))}))`, "desc")
      .orderBy("position")
      .orderBy("products.id");
  const of = (ids: ReturnType<typeof firstOf>) => on.selectFrom("products").where("products.id", "in", ids);
  const first = firstOf(fits);
  return byRank(of(byModel ? byRank(of(first).distinctOn("model").select("products.id").orderBy("model")) : first));
}

/** The ids of the first matches in the shop's order. */
function firstOf(fits: ReturnType<typeof fitting>) {
  return fits
    .select("products.id")
    .orderBy("inStock", "desc")
    .orderBy("position")
    .orderBy("products.id")
    .limit(MOST_COUNTED + 1);
}

/** In kobo. */
const ONE_NAIRA = 100;

function fitting(on: Db, filters: Wanted) {
  const { kind, collection, size, colorNames, currency, min, max, available, onSale, search } = filters;
  let query = on.selectFrom("products").where("hidden", "=", false);
  // Inlined as a literal, so that the planner knows how frequent this kind is.
  if (kind) query = query.where(sql<boolean>`kinds @> ${sql.lit(`{${kind}}`)}`);
  if (collection) query = query.where(isInSql(collection));
  if (size) {
    query = query.where(
      sql<boolean>`exists (select from product_sizes s where s.product_id = products.id and s.size = ${size} and s.on_hand > s.reserved)`,
    );
  }
  if (colorNames) query = query.where(sql<boolean>`color = any(${colorNames}::text[])`);
  const isNaira = currency === "NGN";
  const cents = (amount: number) => (isNaira ? centsSql(amount) : amount);
  if (min !== undefined) query = query.where("priceCents", ">", cents(min - (isNaira ? ONE_NAIRA : 1)));
  if (max !== undefined) query = query.where("priceCents", "<=", cents(max));
  if (available) query = query.where("inStock", "=", true);
  if (onSale) query = query.where("oldCents", "is not", null);
  if (search) query = query.where(matchesSql(matchingQuery(searchWords(search), "each")));
  return query;
}

/**
 * A condition in SQL: whether a product was put into a collection. The collection's products are read once, instead of
 * looking each product of the shop up.
 */
function isPutInSql(collection: string) {
  return sql<boolean>`products.id in (select product_id from collection_products where collection_id = ${collection})`;
}

/**
 * A condition in SQL: whether a product was put into a collection, or its rule applies to it. The database's function
 * collection_members() says the same to the offers.
 */
function isInSql({ id, rule, colorNames }: WantedCollection) {
  const isPutIn = isPutInSql(id);
  if (!rule) return isPutIn;
  const { kind, minCents, maxCents, onSale, newDays } = rule;
  const all = [
    kind && sql`kinds @> ${sql.lit(`{${kind}}`)}`,
    colorNames && sql`color = any(${colorNames}::text[])`,
    minCents !== undefined && sql`price_cents >= ${minCents}`,
    maxCents !== undefined && sql`price_cents <= ${maxCents}`,
    onSale && sql`old_cents is not null`,
    newDays !== undefined && sql`created_at > now() - make_interval(days => ${newDays})`,
  ].filter((one) => typeof one === "object");
  return sql<boolean>`(${isPutIn} or (${sql.join(all, sql` and `)}))`;
}

/** The highest price in cents for which at most `kobo` are charged. A charge is rounded up to a whole naira. */
function centsSql(kobo: number) {
  return sql<number>`floor(${kobo} / ${rateInForceSql})::bigint`;
}

function matchesSql(query: string) {
  return sql<boolean>`search @@ to_tsquery('english', ${query})`;
}

/** The first `most` products that match any word of `search`, those with most of the words first. */
export async function listCardsOfAnyWord(on: Db, search: string, most: number): Promise<ProductCard[]> {
  const fits = fitting(on, {}).where(matchesSql(matchingQuery(searchWords(search), "any")));
  return (await ranked(on, fits, search).select(CARD_COLUMNS).select(withSizes).limit(most).execute()).map(toCard);
}

/** Null if there is no such product or it is hidden. */
export async function getProduct(on: Db, id: string): Promise<Product | null> {
  const row = await on
    .selectFrom("products")
    .select(COLUMNS)
    .select(withSizes)
    .select(sql<Date | null>`(select opens_at from queues where product_id = products.id)`.as("queueOpensAt"))
    .where("products.id", "=", id)
    .where("hidden", "=", false)
    .executeTakeFirst();
  if (!row) return null;
  const { queueOpensAt, ...rest } = row;
  return { ...toProduct(rest), ...(queueOpensAt && { queueOpensAt }) };
}

const ids = statement(
  { takes: { asked: sqlType.textList() }, gives: { asked: sqlType.text, id: sqlType.text } },
  `select asked, coalesce(exact.id, other.id) as id
   from unnest(:asked::text[]) asked
     left join products exact on exact.id = asked
     left join lateral (
       select min(id) as id from products
       where lower(id collate "C") = lower(asked collate "C") and not hidden and exact.id is null having count(*) = 1
     ) other on true
   where coalesce(exact.id, other.id) is not null`,
);
const idsOf = batched(
  async (on, asked: string[]) => new Map((await ids(on, { asked })).map((row) => [row.asked, row.id])),
);

/**
 * The product id for an id in a URL: the same id, even of a hidden product, or else the only visible product whose id
 * differs just in upper and lower case. Undefined if there is none.
 */
export async function idMeantBy(on: Db, id: string): Promise<string | undefined> {
  return (await idsOf(on, id)).get(id);
}

/** Products by id. Hidden ones are included, with no stock, since carts may still contain them. */
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

/** The most products with one title that are looked at. */
const MOST_ALIKE = 100;

const colorsOf = statement(
  {
    takes: { id: sqlType.text },
    gives: {
      id: sqlType.text,
      color: sqlType.text,
      front: sqlType.orNull(sqlType.json<ProductImage>()),
      inStock: sqlType.bool,
      position: sqlType.int,
    },
  },
  `select id, color, front, in_stock, position from (
     select distinct on (p.color) p.id, p.color, p.front, p.in_stock, p.position
     from products own cross join lateral (
       select id, color, images -> 0 as front, in_stock, position from products
       where fold(title) collate "C" = fold(own.title) collate "C" and not hidden
       order by id <> own.id, id limit ${MOST_ALIKE}
     ) p
     where own.id = :id and not own.hidden and p.color <> ''
     order by p.color, p.id <> own.id, p.position, p.id
   ) one order by id <> :id, position, id limit ${MOST_COLORS}`,
);

/**
 * This product and others with its title, one of each colour, in the list's order. None if there is only one colour.
 */
export async function listColorsOf(on: Db, id: string): Promise<ProductColor[]> {
  const found = await colorsOf(on, { id });
  if (found.length < 2) return [];
  const inOrder = found.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  return inOrder.map(({ position: _, ...color }) => color);
}

/** The number of candidates for related products after this product in the list's order, and again from the start. */
const NEAR = 40;

/**
 * Up to `most` other products with stock, without this one in other colours. Products that share a kind come first,
 * then those after this one in the list's order.
 */
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
    .where(
      sql<boolean>`not exists (select from products own where own.id = ${id} and fold(own.title) = fold(products.title) and own.color <> products.color)`,
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

/**
 * The colours for the filter. The query jumps along the index from one colour to the next, instead of reading all
 * products.
 */
export const listColors: (on: Db) => Promise<string[]> = batched(async (on) =>
  (await colors(on)).map(({ color }) => color),
);

const anyOnSale = statement(
  { takes: {}, gives: { hasSale: sqlType.bool } },
  "select exists (select from products where old_cents is not null and not hidden) as has_sale",
);

/** Whether any product has a sale price beside an old one. */
export const hasSale: (on: Db) => Promise<boolean> = batched(async (on) => (await anyOnSale(on))[0]?.hasSale ?? false);

/**
 * Counts the rows of each kind in one statement, from a subquery with a condition and a limit. The kinds are those that
 * were last read, and literals in the statement, so that the planner knows how frequent each one is. A kind is left out
 * while the shop shows a collection at its address.
 */
const kindCounts = (rows: (ofKind: string) => string) =>
  batched(async (on): Promise<KindCount[]> => {
    const kinds = knownKinds();
    if (kinds.length === 0) return [];
    const counts = kinds.map(
      ({ id }) => `select '${id}' as id, count(*)::int as count
      from (${rows(`products where not hidden and kinds @> '{${id}}'`)} limit ${MOST_COUNTED + 1}) one`,
    );
    const { rows: found } = await sql<Pick<KindCount, "id" | "count">>`
      select id, count from (${sql.raw(counts.join(" union all "))}) counted
      where not exists (select from collections where collections.id = counted.id and ${IS_SHOWN})`.execute(on);
    const of = new Map(found.map(({ id, count }) => [id, count]));
    return kinds.map((kind) => ({ ...kind, count: of.get(kind.id) ?? 0 })).filter(({ count }) => count > 0);
  });

/**
 * The number of products of each kind to whose page the shop links, in the kinds' order. Counts stop at
 * `MOST_COUNTED` + 1, and kinds without products are left out.
 */
export const countKinds = kindCounts((ofKind) => `select from ${ofKind}`);

/** The most products of a kind whose models are counted, so that the largest kinds take no longer than others. */
const MOST_LOOKED_AT = 5 * MOST_COUNTED;

/** The number of models of each kind, like `countKinds`. */
export const countKindsByModel = kindCounts(
  (ofKind) => `select distinct model from (select model from ${ofKind} limit ${MOST_LOOKED_AT}) looked_at`,
);

type Prices = { priceCents: number; oldPriceCents: number | null; isOnSale: boolean; saleUntil: Date | null };
type Row = Omit<Product, keyof Prices> & Prices;

function toProduct(row: Row): Product {
  const sizes = row.hidden ? row.sizes.map(({ size }) => ({ size, available: 0 })) : row.sizes;
  const { isOnSale, saleUntil, oldPriceCents, priceCents, ...facts } = row;
  return {
    ...facts,
    priceCents: usdCents(priceCents),
    ...(isOnSale && { isOnSale }),
    ...(saleUntil && { saleUntil }),
    ...oldPriceOf(row),
    sizes: inOrder(sizes),
  };
}

function oldPriceOf({ oldPriceCents }: Pick<Prices, "oldPriceCents">) {
  return oldPriceCents === null ? {} : { oldPriceCents: usdCents(oldPriceCents) };
}

type CardRow = Pick<Row, "id" | "title" | "color" | "priceCents" | "oldPriceCents" | "images" | "sizes"> & {
  inStock: boolean;
  colors?: Omit<ProductColor, "front">[];
};

function toCard(row: CardRow): ProductCard {
  const {
    id,
    title,
    color,
    priceCents,
    images: [front, back],
    sizes,
    inStock,
    colors = [],
  } = row;
  const sizesInStock = inOrder(sizes).flatMap(({ size, available }) => (available > 0 ? size : []));
  const facts = { id, title, color, priceCents: usdCents(priceCents), front, back: back?.hash };
  return {
    ...facts,
    ...oldPriceOf(row),
    sizesInStock,
    soldOut: !inStock,
    ...(colors.length > 1 && { colors: colors.map((one) => ({ ...one, families: familiesOf(one.color) })) }),
  };
}
