import { createReadStream, createWriteStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { sql } from "kysely";
import { BadInput } from "#app/infra/bad-input.ts";
import { errorCode } from "#app/infra/error-fields.ts";
import type { Db, Transaction } from "./db.server.ts";
import { restoreRows } from "./restore-rows.server.ts";
import { HASHES, type Hashes } from "./schema/files.server.ts";
import { readSchemaState } from "./schema/state.server.ts";
import { continueCounting, shopTables } from "./schema/tables.server.ts";

/** The contents of a backup: the number of rows of each table, and of files beside the database. */
export type Counts = { tables: Record<string, number>; files: number };

/**
 * One line of the backup, a gzipped file of JSON lines: first the head, then the rows of each table, then the files,
 * last the counts.
 */
type Line = Head | { table: string; row: Row } | { file: string; base64: string } | { counts: Counts };
/** `hashes`: SHA-256 of each migration's text; missing in backups of version 0.1.0 and before. */
type Head = { irepo: "backup"; migrations: string[]; hashes?: Hashes; madeAt: string };
type Row = Record<string, unknown>;
export type KeptFile = { file: string; bytes: Buffer };

const BATCH = 500;

/**
 * Writes all tables, or those of `only`, as of one moment, and `files` into `target`. `target` appears only when it is
 * complete, and is synced to the disk when the promise resolves. The files are written after the transaction, which the
 * database would end if it were idle while they are read.
 */
export async function backUp(
  on: Db,
  target: string,
  files: AsyncIterable<KeptFile>,
  only?: readonly string[],
): Promise<Counts> {
  const unfinished = `${target}.part`;
  const write = (lines: AsyncIterable<Line>, flags: "wx" | "a") =>
    pipeline(
      lines,
      async function* (lines) {
        for await (const line of lines) yield `${JSON.stringify(line)}\n`;
      },
      createGzip(),
      createWriteStream(unfinished, { flags, mode: 0o600 }), // it holds password hashes and addresses
    );
  const counts: Counts = { tables: {}, files: 0 };
  await on
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (trx) => {
      const all = async function* (): AsyncGenerator<Line> {
        const { applied: migrations, hashes } = await readSchemaState(trx);
        yield { irepo: "backup", migrations, hashes, madeAt: new Date().toISOString() };
        for (const table of await tablesOf(trx, only)) {
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
        sameCounts(counts.tables, await rowCounts(trx, only));
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

/** The shop's tables, or those of `only` that exist. */
async function tablesOf(trx: Transaction, only?: readonly string[]): Promise<string[]> {
  return (await shopTables(trx)).filter((table) => only?.includes(table) ?? true);
}

async function rowCounts(trx: Transaction, only?: readonly string[]): Promise<Counts["tables"]> {
  const counts: Counts["tables"] = {};
  for (const table of await tablesOf(trx, only)) {
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
 * Replaces the contents of the database by a backup, in one transaction that begins with `before` and ends with
 * `after`. Ahead of it, `keep` gets each file. A backup of an older version is migrated. Throws if the backup was made
 * by a version that this build does not know.
 */
export async function restore(
  on: Db,
  source: string,
  keep: (kept: KeptFile) => Promise<unknown>,
  { before, after }: Record<"before" | "after", (trx: Transaction) => Promise<unknown>>,
): Promise<Counts> {
  const read = await readBackup(source, keep);
  await on.transaction().execute(async (trx) => {
    await before(trx);
    await restoreRead(trx, read);
    await continueCounting(trx, GAP);
    await after(trx);
  });
  return read.counts;
}

/** A backup that this build can restore, and whose files have been read. */
export type ReadBackup = { source: string; head: Head; counts: Counts };

/** Passes each file of a backup to `keep`. Throws if the backup is incomplete, or of an unknown version. */
export async function readBackup(source: string, keep: (kept: KeptFile) => Promise<unknown>): Promise<ReadBackup> {
  let head: Head | undefined;
  const counts = await restoreFiles(source, keep, async (found) => {
    refuseUnknownVersion(source, found);
    head = found;
  });
  if (!head) throw new BadInput(`${source} is empty`);
  return { source, head, counts };
}

/**
 * Replaces the rows of all tables, or of `only` those, by a backup's, as `change` returns each. The tables of a backup
 * that holds only some must refer to no other.
 */
export function restoreRead(
  trx: Transaction,
  { source, head, counts }: ReadBackup,
  { only, change }: { only?: readonly string[]; change?(row: Row): Row } = {},
): Promise<void> {
  return restoreRows(trx, {
    source,
    rows: rowsOf(source, change),
    migrations: head.migrations,
    only,
    isWhole: async () => sameCounts(await rowCounts(trx), counts.tables),
  });
}

function refuseUnknownVersion(source: string, { migrations, hashes }: Head): void {
  const unknown = migrations.findLast((name) => !HASHES[name]);
  if (unknown)
    throw new BadInput(
      `${source} was made by another version of the shop (its migration ${unknown} is unknown here): restore it with that version`,
    );
  const other = migrations.find((name) => hashes?.[name] && hashes[name] !== HASHES[name]);
  if (other)
    throw new BadInput(
      `${source} was made by a build of the shop that has another ${other}.sql: restore it with that build`,
    );
}

/** The rows of a backup, as `change` returns each. */
export async function* rowsOf(
  source: string,
  change: (row: Row) => Row = (row) => row,
): AsyncGenerator<{ table: string; row: Row }> {
  for await (const line of linesOf(source)) {
    // Files come last: reading them all again would take longer than a transaction may be idle.
    if ("file" in line) return;
    if ("table" in line) yield { table: line.table, row: change(line.row) };
  }
}

/**
 * Passes each file of a backup to `keep`, after `check` has accepted the backup's head. Returns the counts stated in
 * the backup. Throws if the backup is incomplete; what `keep` has stored by then stays.
 */
export async function restoreFiles(
  source: string,
  keep: (kept: KeptFile) => Promise<unknown>,
  check: (head: Head) => Promise<void> = async () => {},
): Promise<Counts> {
  let isFirst = true;
  let counts: Counts | undefined;
  let files = 0;
  for await (const line of linesOf(source)) {
    if (isFirst) {
      if (!("irepo" in line)) throw new BadInput(`${source} is no backup of this shop`);
      await check(line);
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

/** The parsed lines one by one, of any length. */
async function* linesOf(source: string): AsyncGenerator<Line> {
  const unpacked = createGunzip().setEncoding("utf8");
  pipeline(createReadStream(source), unpacked).catch(() => undefined); // the loop below throws the error
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

/**
 * How many numbers each sequence skips after a restore. Numbers assigned after the backup was made are lost with the
 * old database, but shoppers know them: they must not be assigned again.
 */
const GAP = 100_000;
