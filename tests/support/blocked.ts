import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";

/** The number of sessions of this database that wait for another session's lock. */
export async function countBlocked(on: Db): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`.execute(
    on,
  );
  return rows.length;
}
