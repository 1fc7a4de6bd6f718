import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";

/**
 * The most products of one statement, so that an order that needs a locked product waits for only some ten
 * milliseconds.
 */
const AT_ONCE = 100;

/**
 * A statement that prices products with a due sale price, at most `most`. With `skip locked`, it never waits for a lock
 * while it holds another one, so it cannot be part of a deadlock, in whatever order others lock products.
 */
const pricing = (most: number, skips: "skip locked" | "") =>
  statement(
    { takes: {}, gives: { priced: sqlType.int } },
    `with due as materialized (
       select product_id, min(due_at) as at from sale_prices where due_at <= now() group by product_id
     ), locked as materialized (
       select p.id, due.at from products p join due on due.product_id = p.id order by p.id limit ${most} for no key update of p ${skips}
     ), priced as (
       update products p set priced_at = greatest(locked.at, p.priced_at) from locked where p.id = locked.id
     ), moved as (
       update sale_prices s set due_at = case when s.ends_at > s.due_at then s.ends_at end
       from locked where s.product_id = locked.id and s.due_at <= locked.at
     )
     select count(*)::int as priced from locked`,
  );
const [priceFree, priceWaiting] = [pricing(AT_ONCE, "skip locked"), pricing(1, "")];

const duePrices = statement(
  { takes: {}, gives: { due: sqlType.bool } },
  "select exists (select from sale_prices where due_at <= now()) as due",
);

/**
 * Writes due sale prices to their products, so that lists can be sorted by price and pages need not read the plan. Each
 * start or end of a sale is a separate step, so the price history is correct even if this runs late. Safe to repeat and
 * to run several times at once.
 */
export async function applyDuePrices(on: Db): Promise<void> {
  // Asked first: even an update of no rows would invalidate all cached pages.
  while ((await duePrices(on))[0]?.due) {
    const [free] = await priceFree(on);
    if (free?.priced === 0) await priceWaiting(on);
  }
}
