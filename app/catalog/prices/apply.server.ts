import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";

/** So few that an order that sells out a size, and has to wait for its product, waits for some ten milliseconds. */
const AT_ONCE = 100;

/**
 * Prices the products whose plan is due, at most `most`. With `skip locked` it never waits for a lock while it holds
 * one, so it can be part of no deadlock, whatever order others lock products in.
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
 * Writes to products the prices that the plan says: for lists in order of prices, and so that readers do not have to
 * look at the plan. Each moment of the plan is a step of its own, so the history of prices is right however late this
 * is. Safe to repeat and to run several times at once.
 */
export async function applyDuePrices(on: Db): Promise<void> {
  // Asked first: even an update of no rows would invalidate all cached pages.
  while ((await duePrices(on))[0]?.due) {
    const [free] = await priceFree(on);
    if (free?.priced === 0) await priceWaiting(on);
  }
}
