import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";

/** A comparison this long after the last one may miss rows that have been deleted since. */
const TOO_LONG = MINUTE;

/**
 * Answers at each call whether what public pages show (products, stock, the rate, delivery rates) has changed since the call before; `true` when
 * that cannot be known. It compares transactions, not times: a change counts from its commit on, however long its transaction took.
 */
export function catalogWatch(): (on: Db) => Promise<boolean> {
  let seen: { snapshot: string; era: string | null; at: number } | undefined;
  return async function hasChanged(on) {
    const at = performance.now();
    const before = seen && at - seen.at < TOO_LONG ? seen : undefined;
    seen = undefined; // in case this query fails
    const last = before?.snapshot ?? null;
    const { rows } = await sql<{ snapshot: string; era: string | null; changed: boolean | null }>`
      select pg_current_snapshot()::text as snapshot, (select era from catalog_era), ${last}::pg_snapshot is null or exists (
        select from catalog_changes
        where xid >= pg_snapshot_xmin(${last}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${last}::pg_snapshot)
      ) as changed`.execute(on);
    const { snapshot = "", era = null, changed } = rows[0] ?? {};
    if (era === null) await sql`insert into catalog_era default values on conflict do nothing`.execute(on);
    seen = { snapshot, era, at };
    return changed !== false || era === null || era !== before?.era;
  };
}

/** Deletes changes that every process has seen; run by the worker. */
export async function deleteOldCatalogChanges(on: Db): Promise<void> {
  await sql`delete from catalog_changes where recorded_at < now() - interval '5 minutes'`.execute(on);
}
