import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";

/**
 * Changes a setting of the transaction while `work` runs. After an error the transaction is aborted, so nothing has to
 * be restored.
 */
export async function withSetting<T>(
  trx: Transaction,
  name: string,
  value: string,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ before: string }>`select current_setting(${name}) as before`.execute(trx);
  await sql`select set_config(${name}, ${value}, true)`.execute(trx);
  const result = await work();
  await sql`select set_config(${name}, ${rows[0]?.before ?? ""}, true)`.execute(trx);
  return result;
}

/** Runs `work` while names without a schema refer to `schema`, an identifier that needs no quotes. */
export function inSchema<T>(trx: Transaction, schema: string, work: () => Promise<T>): Promise<T> {
  return withSetting(trx, "search_path", schema, work);
}
