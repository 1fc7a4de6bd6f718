import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import { describeSchema, differences, type Objects } from "./describe.server.ts";
import { HASHES, type Hashes } from "./files.server.ts";

/**
 * The database's record of its schema: the applied migrations, and the hashes of their texts. `isSameServer`: whether
 * the same major version of PostgreSQL has made the record.
 */
export type SchemaState = { applied: string[]; hashes: Hashes; isSameServer: boolean };

export async function readSchemaState(on: Db | Transaction): Promise<SchemaState> {
  const { rows } = await sql<{ hasMigrations: boolean; hasState: boolean }>`
    select to_regclass('public.kysely_migration') is not null as has_migrations, to_regclass('public.schema_state') is not null as has_state
  `.execute(on);
  const { hasMigrations = false, hasState = false } = rows[0] ?? {};
  const applied = hasMigrations ? await migrationsOf(on) : [];
  if (!hasState) return { applied, hashes: {}, isSameServer: false };
  const { rows: states } = await sql<{ migrations: Hashes; isSameServer: boolean }>`
    select migrations, server_version = ${SERVER} as is_same_server from public.schema_state`.execute(on);
  return { applied, hashes: states[0]?.migrations ?? {}, isSameServer: states[0]?.isSameServer ?? false };
}

/** The server's major version. */
const SERVER = sql`current_setting('server_version_num')::integer / 10000`;

/** The names of all migrations that the database has, a newer version's among them. */
export async function migrationsOf(on: Db | Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from public.kysely_migration order by name`.execute(on);
  return rows.map(({ name }) => name);
}

/** Whether every migration of this build has been applied and recorded. */
export function isComplete({ applied, hashes }: SchemaState): boolean {
  return Object.keys(HASHES).every((name) => applied.includes(name) && hashes[name]);
}

/** Applied migrations whose text differs from that of this build's migration of the same name. */
export function textsOfOtherBuild({ hashes }: SchemaState): string[] {
  return Object.keys(HASHES).filter((name) => hashes[name] && hashes[name] !== HASHES[name]);
}

export function refuseOtherTexts(state: SchemaState): void {
  const [other] = textsOfOtherBuild(state);
  if (other)
    throw new Problem(
      `The database was made with another ${other}.sql than this build has, so its tables may be others: start the build that made it, or one of a release`,
    );
}

/** Records the schema after an update, for comparison by later starts and by `check`. */
export async function recordSchemaState(trx: Transaction): Promise<void> {
  const { hashes } = await readSchemaState(trx);
  const migrations = JSON.stringify({ ...hashes, ...HASHES });
  const objects = JSON.stringify(await describeSchema(trx, "public"));
  await sql`
    insert into public.schema_state (migrations, objects, server_version) values (${migrations}, ${objects}, ${SERVER})
    on conflict (is_only) do update set
      migrations = excluded.migrations, objects = excluded.objects, server_version = excluded.server_version, recorded_at = now()
  `.execute(trx);
}

/** The names of tables, columns, indexes and other objects that have changed since the last update. */
export async function changedSinceUpdate(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ objects: Objects }>`
    select objects from public.schema_state where server_version = ${SERVER}`.execute(trx);
  return differences(await describeSchema(trx, "public"), rows[0]?.objects ?? {});
}
