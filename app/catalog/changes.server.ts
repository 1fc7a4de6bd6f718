import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";

/**
 * The longest time between two comparisons. After more time, `deleteOldCatalogChanges` may have deleted rows that the
 * comparison needs.
 */
const TOO_LONG = MINUTE;

type Row = { snapshot: string; moment: string; era: string | null; changed: boolean | null; stockOf: string[] };

/**
 * Returns a function that tells whether the data of public pages (products, stock, the rate, delivery rates, texts) has
 * changed since its last call, or `true` if that is unknown. A list names the products of which nothing has changed but
 * how many pieces are available: no size has sold out or come back. The function compares transaction snapshots, not
 * times: a change counts from its commit on, however long the transaction took. A sale price begins and ends by the
 * database's clock instead, without a transaction, and so do a text of a page that was published at a time and a
 * collection with dates.
 */
export function catalogWatch(): (on: Db) => Promise<boolean | string[]> {
  let seen: { snapshot: string; moment: string; era: string | null; at: number } | undefined;
  return async function hasChanged(on) {
    const at = performance.now();
    const before = seen && at - seen.at < TOO_LONG ? seen : undefined;
    seen = undefined; // in case this query fails
    const [last, moment] = [before?.snapshot ?? null, before?.moment ?? null];
    const { rows } = await sql<Row>`
      with recorded as (
        select stock_of from catalog_changes
        where xid >= pg_snapshot_xmin(${last}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${last}::pg_snapshot)
      )
      select pg_current_snapshot()::text as snapshot, now()::text as moment, (select era from catalog_era),
        array(select distinct unnest(stock_of) from recorded) as stock_of,
        ${last}::pg_snapshot is null or exists (select from recorded where stock_of is null) or exists (
          select from sale_prices
          where due_at <= now() and (due_at > ${moment}::timestamptz or (ends_at > ${moment}::timestamptz and ends_at <= now()))
        ) or exists (
          select from page_texts where published_at > ${moment}::timestamptz and published_at <= now()
        ) or exists (
          select from collections
          where (starts_at > ${moment}::timestamptz and starts_at <= now()) or (ends_at > ${moment}::timestamptz and ends_at <= now())
        ) as changed`.execute(on);
    const { snapshot = "", moment: now = "", era = null, changed, stockOf = [] } = rows[0] ?? {};
    if (era === null) await sql`insert into catalog_era default values on conflict do nothing`.execute(on);
    seen = { snapshot, moment: now, era, at };
    if (changed !== false || era === null || era !== before?.era) return true;
    return stockOf.length > 0 && stockOf;
  };
}

/** Deletes changes that every process has seen. Run by the worker. */
export async function deleteOldCatalogChanges(on: Db): Promise<void> {
  await sql`delete from catalog_changes where recorded_at < now() - interval '5 minutes'`.execute(on);
}
