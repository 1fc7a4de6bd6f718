import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Db, Transaction } from "./db.server.ts";

const files = import.meta.glob<string>("../../../db/migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});

const migrations: Record<string, Migration> = Object.fromEntries(
  Object.entries(files).map(([file, text]) => {
    const name = file.slice(file.lastIndexOf("/") + 1, -".sql".length);
    return [
      name,
      {
        up: (on) =>
          sql
            .raw(text)
            .execute(on)
            .then(() => undefined),
      },
    ];
  }),
);

const migratorOf = (on: Db) => new Migrator({ db: on, provider: { getMigrations: async () => migrations } });

/**
 * Brings the database to the newest shape; several processes may call it at once. Returns the names of what was done: nothing where a newer version
 * has added more, since that only adds.
 */
export async function migrate(on: Db): Promise<string[]> {
  if (await isMigrated(on)) return [];
  const { error, results } = await migratorOf(on).migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

/** The names of all migrations that the database has, a newer version's among them. */
export async function migrationsOf(on: Db | Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(on);
  return rows.map(({ name }) => name);
}

/** Whether every migration that this build knows has been applied. */
export async function isMigrated(on: Db): Promise<boolean> {
  return (await migratorOf(on).getMigrations()).every((migration) => migration.executedAt);
}
