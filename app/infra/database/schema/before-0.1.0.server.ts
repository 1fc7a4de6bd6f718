import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { errorCode } from "#app/infra/error-fields.ts";
import { inOneLine, Problem } from "#app/infra/problem.server.ts";
import { copyRows, refuseUnknownColumns } from "./copy-rows.server.ts";
import { correctOldRows } from "./correct-old-rows.server.ts";
import { describeSchema, differences, type Objects } from "./describe.server.ts";
import { FIRST, MIGRATIONS } from "./files.server.ts";
import { FORGOTTEN_TABLES, FORMER_FUNCTIONS, FORMER_TABLES } from "./names-before-0.1.0.ts";
import { inSchema } from "./setting.server.ts";
import { readSchemaState } from "./state.server.ts";
import { continueCounting, shopTables, withoutTriggers } from "./tables.server.ts";

/** The schema that holds the old tables until their rows are copied. */
const ASIDE = "before_update";

/**
 * Migrates a database made between 21 and 24 November 2026, while the schema was still changed in place; such a
 * database is recognized by its objects. Its tables are moved aside, created as version 0.1.0 has them, and filled with
 * the old rows. Any other database is left as it is. Returns the names of the applied migrations.
 */
export async function bringForward(trx: Transaction, applied: string[]): Promise<string[]> {
  if (applied.length === 0 || (await readSchemaState(trx)).hashes[FIRST]) return [];
  const wanted = await describeFirst(trx);
  const different = differences(await describeSchema(trx, "public"), wanted);
  if (different.length === 0) return [];
  process.stderr.write(
    "The database is of a version before 0.1.0: its tables are made anew, all of them or none ...\n",
  );
  try {
    await makeAnew(trx, wanted);
  } catch (error) {
    throw untouched(error, different);
  }
  return [FIRST];
}

/** The objects that the first migration creates, in this server's wording. The database stays as it is. */
async function describeFirst(trx: Transaction): Promise<Objects> {
  await sql`savepoint describing`.execute(trx);
  await sql`create schema ${sql.id(ASIDE)}`.execute(trx);
  const objects = await inSchema(trx, ASIDE, async () => {
    await sql.raw(MIGRATIONS[FIRST] ?? "").execute(trx);
    return describeSchema(trx, ASIDE);
  });
  await sql`rollback to savepoint describing`.execute(trx);
  return objects;
}

async function makeAnew(trx: Transaction, wanted: Objects): Promise<void> {
  const aside = await putAside(trx, wanted);
  await sql.raw(MIGRATIONS[FIRST] ?? "").execute(trx);
  const tables = await shopTables(trx);
  await withoutTriggers(trx, tables, async () => {
    for (const table of tables) {
      const from = [table, FORMER_TABLES[table] ?? ""].find((name) => aside.tables.includes(name));
      if (from) await copyRows(trx, { schema: ASIDE, table: from }, table);
    }
    await correctOldRows(trx, ASIDE);
  });
  await sql`update products set title = title`.execute(trx); // a trigger collects their words for the search
  await continueCounting(trx, 0);
  await dropAside(trx, aside);
  await sql`delete from kysely_migration`.execute(trx);
  await sql`insert into kysely_migration (name, timestamp) values (${FIRST}, ${new Date().toISOString()})`.execute(trx);
  const left = differences(await describeSchema(trx, "public"), wanted);
  if (left.length > 0) throw new Error(`it would have another ${left[0]}`);
}

type Aside = { tables: string[]; functions: string[] };

/** Moves the shop's own tables and functions aside; everything else in the database stays where it is. */
async function putAside(trx: Transaction, wanted: Objects): Promise<Aside> {
  const named = (kind: string) =>
    Object.keys(wanted).flatMap((name) => (name.startsWith(`${kind} `) ? [name.slice(kind.length + 1)] : []));
  const known = [...named("table"), ...Object.values(FORMER_TABLES)];
  const functions = [...named("function").map((name) => name.split("(", 1)[0] ?? ""), ...FORMER_FUNCTIONS];
  const { rows } = await sql<{ kind: "table" | "function"; name: string; signature: string }>`
    select 'table' as kind, relname as name, oid::regclass::text as signature from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any(${known})
    union all
    select 'function', proname, oid::regprocedure::text from pg_proc
    where pronamespace = 'public'::regnamespace and proname = any(${functions})`.execute(trx);
  const tables = rows.filter(({ kind }) => kind === "table").map(({ name }) => name);
  for (const table of tables)
    if (!FORGOTTEN_TABLES.includes(table)) await refuseUnknownColumns(trx, { schema: "public", table }, wanted);
  await sql`create schema ${sql.id(ASIDE)}`.execute(trx);
  for (const { kind, signature } of rows) await sql.raw(`alter ${kind} ${signature} set schema ${ASIDE}`).execute(trx);
  const moved = rows.filter(({ kind }) => kind === "function").map(({ signature }) => signature);
  return { tables, functions: moved };
}

/** Drops the old objects without `cascade`: if something of the owner's depends on one of them, the update fails. */
async function dropAside(trx: Transaction, { tables, functions }: Aside): Promise<void> {
  await sql`drop table ${sql.join(tables.map((table) => sql.table(`${ASIDE}.${table}`)))}`.execute(trx);
  for (const signature of functions) await sql.raw(`drop function ${ASIDE}.${signature}`).execute(trx);
  await sql`drop schema ${sql.id(ASIDE)}`.execute(trx);
}

const IN_USE = "55P03";

function untouched(error: unknown, different: string[]): Problem {
  const { message, detail = "" } = error as Error & { detail?: string };
  const why =
    errorCode(error) === IN_USE
      ? "another process uses its tables: stop every other process of the shop, and start again"
      : inOneLine(detail ? `${message}: ${detail}` : message);
  return new Problem(
    `The database is of a version before 0.1.0 (told by its ${different[0]}), could not be brought forward, and was left as it was: ${why}`,
  );
}
