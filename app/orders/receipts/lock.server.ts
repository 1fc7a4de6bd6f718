import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";

/** Lets one transaction at a time draw numbers, or change what they depend on, until it ends. */
export async function lockNumbers(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7103306)`.execute(trx);
}
