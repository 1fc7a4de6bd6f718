import { sql } from "kysely";
import { BadInput } from "#app/infra/bad-input.ts";
import type { Transaction } from "./db.server.ts";
import { copyRows } from "./schema/copy-rows.server.ts";
import { MIGRATIONS } from "./schema/files.server.ts";
import { inSchema } from "./schema/setting.server.ts";
import { shopTables, withoutTriggers } from "./schema/tables.server.ts";

type Row = Record<string, unknown>;
type Rows = {
  source: string;
  rows: AsyncIterable<{ table: string; row: Row }>;
  /** The migrations of the database that the rows come from; this build has all of them. */
  migrations: string[];
  /** The tables to replace; absent for all. */
  only?: readonly string[];
  /** Throws unless all rows are there. */
  isWhole(): Promise<void>;
};

const BATCH = 500;
/** The schema in which rows of an older version are migrated to this one. */
const ASIDE = "from_backup";

/** Replaces all rows of the shop's tables, or of those named. */
export async function restoreRows(trx: Transaction, given: Rows): Promise<void> {
  const tables = (await shopTables(trx)).filter((name) => given.only?.includes(name) ?? true);
  await sql`truncate ${sql.join(tables.map((name) => sql.table(name)))} cascade`.execute(trx);
  const later = Object.keys(MIGRATIONS)
    .sort()
    .filter((name) => !given.migrations.includes(name));
  if (later.length === 0) {
    await withoutTriggers(trx, tables, () => insertRows(trx, tables, given));
    return given.isWhole();
  }
  await sql`create schema ${sql.id(ASIDE)}`.execute(trx);
  await inSchema(trx, ASIDE, async () => {
    await apply(trx, given.migrations);
    const former = await shopTables(trx);
    await withoutTriggers(trx, former, () => insertRows(trx, former, given));
    await given.isWhole();
    await apply(trx, later);
  });
  await withoutTriggers(trx, tables, async () => {
    for (const table of tables) await copyRows(trx, { schema: ASIDE, table }, table);
  });
  await sql`drop schema ${sql.id(ASIDE)} cascade`.execute(trx);
}

async function apply(trx: Transaction, migrations: string[]): Promise<void> {
  for (const name of migrations) await sql.raw(MIGRATIONS[name] ?? "").execute(trx);
}

async function insertRows(trx: Transaction, tables: string[], { source, rows }: Rows): Promise<void> {
  let table = "";
  let batch: Row[] = [];
  const flush = async () => {
    if (batch.length > 0) await insert(trx, table, batch);
    batch = [];
  };
  for await (const line of rows) {
    if (line.table !== table || batch.length >= BATCH) await flush();
    if (line.table !== table && !(tables.includes(line.table) && (await hasColumnsOf(trx, line))))
      throw new BadInput(
        `${source} was made by a version before 0.1.0, whose ${line.table} were others: restore it with the version that made it, and start this one on the database that comes of it`,
      );
    table = line.table;
    batch.push(line.row);
  }
  await flush();
}

async function hasColumnsOf(trx: Transaction, { table, row }: { table: string; row: Row }): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(
    trx,
  );
  const names = rows.map(({ name }) => name);
  return names.every((name) => name in row) && Object.keys(row).length === names.length;
}

async function insert(trx: Transaction, table: string, batch: Row[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(trx);
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`
    insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch)})`.execute(trx);
}
