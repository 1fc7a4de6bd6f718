import { type SelectQueryBuilder, sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { SHOP_SETTINGS_TOPIC } from "#app/infra/settings/shop-settings.server.ts";
import type { Database } from "#db/types.ts";
import { MOST_COLORS, type ProductColor } from "../product.ts";

/**
 * A condition in SQL: whether a product is the first of its model in `list`, a query of products with the list's
 * filters and order. The index of models answers it for each product that is looked at, so a page reads no more of a
 * long list than it shows.
 */
export function isFirstOfModelSql<Row>(list: SelectQueryBuilder<Database, "products", Row>) {
  const first = list.select("products.id").where(sql<boolean>`products.model = own.model`).limit(1);
  // Without coalesce, PostgreSQL would expect a single row, and read and sort all before the first page.
  return sql<boolean>`coalesce(products.id = (select first.id from (select products.model) as own cross join lateral ${first} as first), true)`;
}

/** The shown products of a product's model, in the shop's order, as a column of the product's query. */
export function withModel() {
  const colors = sql`select id, color, in_stock as "inStock" from products other
    where other.model = products.model and not hidden order by position, id limit ${sql.lit(MOST_COLORS)}`;
  return sql<Omit<ProductColor, "front">[]>`(select coalesce(json_agg(one), '[]') from (${colors}) as one)`.as(
    "colors",
  );
}

/** The most products of one statement, so that an order that needs a locked product waits for only a moment. */
const AT_ONCE = 100;

/**
 * A statement that writes their model to products after the id `after`, at most `most`; `last` is null if there are
 * none. With `skip locked`, it never waits for a lock while it holds another one, so it is never part of a deadlock.
 */
const naming = (most: number, skips: "skip locked" | "") =>
  statement(
    { takes: { after: sqlType.text }, gives: { last: sqlType.orNull(sqlType.text) } },
    `with unnamed as materialized (
       select id from products where model is null and id > :after order by id limit ${most} for no key update ${skips}
     ), named as (
       update products p set model = model_of(p.id, p.title, p.color) from unnamed where p.id = unnamed.id
     )
     select max(id) as last from unnamed`,
  );
const [nameFree, nameWaiting] = [naming(AT_ONCE, "skip locked"), naming(1, "")];

/**
 * Writes their model to products from before models were stored; a trigger writes it to all others. Lists show models
 * once all have one. Throws an error when `stopping` is aborted. Safe to repeat and to run several times at once.
 */
export async function nameModels(on: Db, stopping?: AbortSignal): Promise<void> {
  let after: string | null = "";
  while (after !== null) {
    stopping?.throwIfAborted();
    after = (await nameFree(on, { after }))[0]?.last ?? null;
  }
  let isLeft = true;
  while (isLeft) {
    stopping?.throwIfAborted();
    isLeft = Boolean((await nameWaiting(on, { after: "" }))[0]?.last);
  }
  await publish(on, SHOP_SETTINGS_TOPIC);
}
