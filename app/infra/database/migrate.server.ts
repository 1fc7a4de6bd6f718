import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Db } from "./db.server.ts";

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

/** Brings the database to the newest shape; several processes may call it at once. Returns the names of what was done. */
export async function migrate(on: Db): Promise<string[]> {
  const migrator = new Migrator({ db: on, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

/** Whether every migration that this build knows has been applied. */
export async function isMigrated(on: Db): Promise<boolean> {
  const migrator = new Migrator({ db: on, provider: { getMigrations: async () => migrations } });
  return (await migrator.getMigrations()).every((migration) => migration.executedAt);
}
