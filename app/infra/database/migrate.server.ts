import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Db, Transaction } from "./db.server.ts";
import { bringForward } from "./schema/before-0.1.0.server.ts";
import { MIGRATIONS } from "./schema/files.server.ts";
import { withSetting } from "./schema/setting.server.ts";
import { isComplete, readSchemaState, recordSchemaState, refuseOtherTexts } from "./schema/state.server.ts";

/**
 * Applies all migrations that are missing. Kysely runs its unlock statement after a failure, too, and in an aborted
 * transaction reports that statement's error: the original one is kept here.
 */
async function migrateToLatest(trx: Transaction): Promise<string[]> {
  let cause: unknown;
  const up = (text: string) => async () => {
    await sql
      .raw(text)
      .execute(trx)
      .catch((error) => {
        cause = error;
        throw error;
      });
  };
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, text]): [string, Migration] => [name, { up: up(text) }]),
  );
  const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => migrations } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error) throw cause ?? error;
  return results.map(({ migrationName }) => migrationName);
}

/**
 * Migrates the database, completely or not at all; several processes may call it at once. Returns the names of the
 * applied migrations. If a newer version has applied more, nothing is done, since migrations only add.
 */
export async function migrate(on: Db): Promise<string[]> {
  const state = await readSchemaState(on);
  refuseOtherTexts(state);
  if (isComplete(state) && state.isSameServer) return [];
  return on.transaction().execute(async (trx) => {
    await lockUpdates(trx);
    const { applied } = await readSchemaState(trx);
    const first = await bringForward(trx, applied);
    const later = isComplete(await readSchemaState(trx)) ? [] : await migrateToLatest(trx);
    await recordSchemaState(trx);
    return [...first, ...later];
  });
}

/** Waits without a limit for another process that migrates. */
async function lockUpdates(trx: Transaction): Promise<void> {
  await withSetting(trx, "lock_timeout", "0", () => sql`select pg_advisory_xact_lock(7103303)`.execute(trx));
}

/** Whether every migration that this build knows has been applied. */
export async function isMigrated(on: Db): Promise<boolean> {
  return isComplete(await readSchemaState(on));
}

/** The last migration that a newer version has applied; undefined if there is none. */
export async function newerMigration(on: Db): Promise<string | undefined> {
  return (await readSchemaState(on)).applied.findLast((name) => !MIGRATIONS[name]);
}
