import { sql } from "kysely";
import type { Db } from "#app/infra/db.server.ts";

const SECOND = 1000;
/** A look this long after the last one may have missed rows that are forgotten by now. */
const TOO_LONG = 60 * SECOND;

/**
 * Tells at each call whether products, stock or the rate have changed since the call before; `true` when that cannot be known.
 * It compares transactions, not times: a change counts from its commit on, however long its transaction took.
 */
export function catalogWatch(): (on: Db) => Promise<boolean> {
  let seen: { snapshot: string; at: number } | undefined;
  return async function hasChanged(on) {
    const at = performance.now();
    const last = seen && at - seen.at < TOO_LONG ? seen.snapshot : null;
    const { rows } = await sql<{ snapshot: string; changed: boolean | null }>`
      select pg_current_snapshot()::text as snapshot, ${last}::pg_snapshot is null or exists (
        select from catalog_changes
        where xid >= pg_snapshot_xmin(${last}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${last}::pg_snapshot)
      ) as changed`.execute(on);
    seen = { snapshot: rows[0]?.snapshot ?? "", at };
    return rows[0]?.changed !== false;
  };
}

/** Forgets changes that every process has seen; run by the worker. */
export async function forgetCatalogChanges(on: Db): Promise<void> {
  await sql`delete from catalog_changes where noted_at < now() - interval '5 minutes'`.execute(on);
}
