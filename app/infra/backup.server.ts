import { createReadStream, createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { sql } from "kysely";
import type { Db, Transaction } from "./db.server.ts";

/** One line of the file: JSON, gzip'd. First what made it, then the rows of each table, then the files beside the database. */
type Line =
  | { irepo: "backup"; migrations: string[]; madeAt: string }
  | { table: string; row: Record<string, unknown> }
  | { file: string; base64: string };
export type KeptFile = { file: string; bytes: Buffer };

const BATCH = 500;

/** Writes every table as it is at one moment, and `files`, into `target`; whole or not at all. Returns how many rows. */
export async function backUp(on: Db, target: string, files: AsyncIterable<KeptFile>): Promise<number> {
  let rows = 0;
  await on
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const lines = async function* (): AsyncGenerator<string> {
        const write = (line: Line) => `${JSON.stringify(line)}\n`;
        yield write({ irepo: "backup", migrations: await migrations(trx), madeAt: new Date().toISOString() });
        for (const table of await tables(trx)) {
          await sql`declare backup cursor for select to_json(t) as row from ${sql.table(table)} t`.execute(trx);
          for (;;) {
            const { rows: part } = await sql<{
              row: Record<string, unknown>;
            }>`fetch ${sql.lit(BATCH)} from backup`.execute(trx);
            if (part.length === 0) break;
            rows += part.length;
            for (const { row } of part) yield write({ table, row });
          }
          await sql`close backup`.execute(trx);
        }
        for await (const { file, bytes } of files) yield write({ file, base64: bytes.toString("base64") });
      };
      await pipeline(Readable.from(lines()), createGzip(), createWriteStream(`${target}.unfinished`));
    });
  await rename(`${target}.unfinished`, target);
  return rows;
}

/** Puts a backup in the place of all that is in the database, in one transaction; `keep` gets each file. Throws where it is of another version. */
export async function restore(
  trx: Transaction,
  source: string,
  keep: (kept: KeptFile) => Promise<unknown>,
): Promise<number> {
  const known = await tables(trx);
  let table = "";
  let batch: Record<string, unknown>[] = [];
  let rows = 0;
  const flush = async () => {
    if (batch.length > 0) await insert(trx, table, batch);
    rows += batch.length;
    batch = [];
  };
  let isFirst = true;
  for await (const text of createInterface({ input: createReadStream(source).pipe(createGunzip()) })) {
    const line = JSON.parse(text) as Line;
    if (isFirst) {
      if (!("irepo" in line)) throw new Error(`${source} is no backup of this shop`);
      if (String(line.migrations) !== String(await migrations(trx)))
        throw new Error(
          `${source} was made by another version of the shop (its last migration is ${line.migrations.at(-1)})`,
        );
      await sql`truncate ${sql.join(known.map((name) => sql.table(name)))} cascade`.execute(trx);
      isFirst = false;
    } else if ("table" in line) {
      if (!known.includes(line.table)) throw new Error(`${source} names a table that is not there: ${line.table}`);
      if (line.table !== table || batch.length >= BATCH) await flush();
      table = line.table;
      batch.push(line.row);
    } else if ("file" in line) await keep({ file: line.file, bytes: Buffer.from(line.base64, "base64") });
  }
  if (isFirst) throw new Error(`${source} is empty`);
  await flush();
  await continueCounting(trx);
  return rows;
}

async function insert(trx: Transaction, table: string, batch: Record<string, unknown>[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''`.execute(trx);
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`
    insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch)})`.execute(trx);
}

/** The shop's tables in the order in which they were made: what refers comes after what it refers to. */
async function tables(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname not like 'kysely%'
    order by oid`.execute(trx);
  return rows.map(({ name }) => name);
}

async function migrations(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(trx);
  return rows.map(({ name }) => name);
}

async function continueCounting(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`.execute(trx);
  for (const { table, column } of rows)
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${sql.ref(column)}), 0) + 1, false)
      from ${sql.table(table)}`.execute(trx);
}
