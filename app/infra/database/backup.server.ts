import { createReadStream, createWriteStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { sql } from "kysely";
import { BadInput } from "#app/infra/bad-input.ts";
import { errorCode } from "#app/infra/error-fields.ts";
import type { Db, Transaction } from "./db.server.ts";
import { migrationsOf } from "./migrate.server.ts";

/** What a backup holds: how many rows of each table, how many files beside the database. */
export type Counts = { tables: Record<string, number>; files: number };

/** One line of the file: JSON, gzipped. First what made it, then the rows of each table, then the files, last the count of each. */
type Line =
  | { irepo: "backup"; migrations: string[]; madeAt: string }
  | { table: string; row: Record<string, unknown> }
  | { file: string; base64: string }
  | { counts: Counts };
export type KeptFile = { file: string; bytes: Buffer };

const BATCH = 500;

/**
 * Writes every table as of one moment, and `files`, into `target`; whole or not at all, and on the disk when it resolves. The files come after
 * the transaction, which the database would end while it waited for them.
 */
export async function backUp(on: Db, target: string, files: AsyncIterable<KeptFile>): Promise<Counts> {
  const unfinished = `${target}.part`;
  const write = (lines: AsyncIterable<Line>, flags: "wx" | "a") =>
    pipeline(
      lines,
      async function* (lines) {
        for await (const line of lines) yield `${JSON.stringify(line)}\n`;
      },
      createGzip(),
      createWriteStream(unfinished, { flags, mode: 0o600 }), // password hashes and addresses are in it
    );
  const counts: Counts = { tables: {}, files: 0 };
  await on
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const all = async function* (): AsyncGenerator<Line> {
        yield { irepo: "backup", migrations: await migrationsOf(trx), madeAt: new Date().toISOString() };
        for (const table of await tables(trx)) {
          let rows = 0;
          await sql`declare backup cursor for select to_json(t) as row from ${sql.table(table)} t`.execute(trx);
          for (;;) {
            const { rows: part } = await sql<{
              row: Record<string, unknown>;
            }>`fetch ${sql.lit(BATCH)} from backup`.execute(trx);
            if (part.length === 0) break;
            rows += part.length;
            for (const { row } of part) yield { table, row };
          }
          await sql`close backup`.execute(trx);
          counts.tables[table] = rows;
        }
        sameCounts(counts.tables, await rowCounts(trx));
      };
      await write(all(), "wx");
    });
  const kept = async function* (): AsyncGenerator<Line> {
    for await (const { file, bytes } of files) {
      counts.files++;
      yield { file, base64: bytes.toString("base64") };
    }
    yield { counts };
  };
  await write(kept(), "a");
  await toDisk(unfinished);
  await rename(unfinished, target);
  await toDisk(path.dirname(path.resolve(target)));
  return counts;
}

async function toDisk(place: string): Promise<void> {
  const handle = await open(place, "r");
  await handle.sync().finally(() => handle.close());
}

async function rowCounts(trx: Transaction): Promise<Counts["tables"]> {
  const counts: Counts["tables"] = {};
  for (const table of await tables(trx)) {
    const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from ${sql.table(table)}`.execute(trx);
    counts[table] = rows[0]?.rows ?? 0;
  }
  return counts;
}

function sameCounts(found: Counts["tables"], wanted: Counts["tables"]): void {
  const wrong = Object.entries(wanted).filter(([table, rows]) => (found[table] ?? 0) !== rows);
  if (wrong.length === 0) return;
  const named = wrong.map(([table, rows]) => `${table} (${found[table] ?? 0} of ${rows})`);
  throw new Error(`Rows are missing of ${named.join(", ")}: nothing was done`);
}

/**
 * Replaces all that is in the database by a backup, in one transaction, which begins with `before` and ends with `after`; first, `keep` gets each file.
 * Throws if it is of another version.
 */
export async function restore(
  on: Db,
  source: string,
  keep: (kept: KeptFile) => Promise<unknown>,
  { before, after }: Record<"before" | "after", (trx: Transaction) => Promise<unknown>>,
): Promise<Counts> {
  const counts = await restoreFiles(source, keep, async (migrations) => {
    if (String(migrations) !== String(await migrationsOf(on)))
      throw new BadInput(
        `${source} was made by another version of the shop (its last migration is ${migrations.at(-1)})`,
      );
  });
  await on.transaction().execute(async (trx) => {
    await before(trx);
    await restoreRows(trx, source);
    sameCounts(await rowCounts(trx), counts.tables);
    await continueCounting(trx);
    await after(trx);
  });
  return counts;
}

/**
 * Hands each file of a backup to `keep`, once `check` has seen of which version it is, and says what it holds. Throws where it is not whole: what was
 * kept before that stays.
 */
export async function restoreFiles(
  source: string,
  keep: (kept: KeptFile) => Promise<unknown>,
  check: (migrations: string[]) => Promise<void> = async () => {},
): Promise<Counts> {
  let isFirst = true;
  let counts: Counts | undefined;
  let files = 0;
  for await (const line of linesOf(source)) {
    if (isFirst) {
      if (!("irepo" in line)) throw new BadInput(`${source} is no backup of this shop`);
      await check(line.migrations);
      isFirst = false;
    } else if ("counts" in line) counts = line.counts;
    else if ("file" in line) {
      await keep({ file: line.file, bytes: Buffer.from(line.base64, "base64") });
      files++;
    }
  }
  if (isFirst) throw new BadInput(`${source} is empty`);
  if (!counts) throw new Error(`The end of ${source} is missing: nothing was restored`);
  if (files !== counts.files)
    throw new Error(`${source} holds ${files} of ${counts.files} pictures: nothing was restored`);
  return counts;
}

async function restoreRows(trx: Transaction, source: string): Promise<void> {
  const known = await tables(trx);
  await sql`truncate ${sql.join(known.map((name) => sql.table(name)))} cascade`.execute(trx);
  const triggers = async (to: "disable" | "enable") => {
    for (const name of known) await sql`alter table ${sql.table(name)} ${sql.raw(to)} trigger user`.execute(trx);
  };
  await triggers("disable"); // what they would count is in the rows already
  let table = "";
  let batch: Record<string, unknown>[] = [];
  const flush = async () => {
    if (batch.length > 0) await insert(trx, table, batch);
    batch = [];
  };
  for await (const line of linesOf(source)) {
    if ("file" in line) break; // files are last: to read them all again takes longer than a transaction may be silent
    if (!("table" in line)) continue;
    if (!known.includes(line.table)) throw new BadInput(`${source} names a table that is not there: ${line.table}`);
    if (line.table !== table || batch.length >= BATCH) await flush();
    table = line.table;
    batch.push(line.row);
  }
  await flush();
  await triggers("enable");
}

/** One line after the other, however long they are. */
async function* linesOf(source: string): AsyncGenerator<Line> {
  const unpacked = createGunzip().setEncoding("utf8");
  pipeline(createReadStream(source), unpacked).catch(() => undefined); // whoever reads is told
  let rest = "";
  try {
    for await (const text of unpacked) {
      rest += text;
      if (!text.includes("\n")) continue;
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line);
    }
  } catch (error) {
    if (!errorCode(error).startsWith("Z_")) throw error;
    throw new BadInput(`${source} is no backup of this shop, or has been damaged`);
  }
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

/** The shop's tables in order of creation: references point backwards. Without the assets of builds. */
async function tables(trx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname not like 'kysely%' and relname <> 'assets'
    order by oid`.execute(trx);
  return rows.map(({ name }) => name);
}

/** What was counted after a backup and lost with its machine is left out: a number that a shopper was told of is never another one's. */
const GAP = 100_000;

async function continueCounting(trx: Transaction): Promise<void> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attidentity <> ''`.execute(trx);
  for (const { table, column } of rows)
    await sql`
      select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${sql.ref(column)}), 0) + 1 + ${GAP}::int, false)
      from ${sql.table(table)}`.execute(trx);
}
