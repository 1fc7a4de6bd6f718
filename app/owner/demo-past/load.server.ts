import { renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import { readBackup, restoreRead, rowsOf } from "#app/infra/database/backup.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { continueCounting } from "#app/infra/database/schema/tables.server.ts";
import { env } from "#app/infra/env.server.ts";
import { BOOKS_FILE } from "#app/infra/sandbox.server.ts";
import { movedRow, movedTimes } from "./moved.ts";
import { PAST_FILE, PAST_TABLES } from "./tables.ts";

/**
 * Fills a shop in which nothing has happened with the recorded past, which ends now: all times move by the file's age.
 * Any row in one of its tables, such as a customer of a shop whose products were all deleted, keeps the past away. The
 * sandbox's books are written before the transaction ends; if it fails, the next start writes them again. A past that
 * cannot be loaded leaves the shop as it was, and `warn` gets the reason, since a demo without a past sells as well.
 * The transaction must be one of the tables' owner.
 */
export async function loadPast(trx: Transaction, warn: (line: string) => void, source = PAST_FILE): Promise<void> {
  if (await hasRows(trx)) return;
  await sql`savepoint past`.execute(trx);
  try {
    let books = "";
    const read = await readBackup(source, async ({ bytes }) => {
      books = gunzipSync(bytes).toString("utf8");
    });
    const age = Date.now() - new Date(read.head.madeAt).getTime();
    await restoreRead(trx, read, { only: PAST_TABLES, change: (row) => movedRow(row, age) });
    await continueCounting(trx, 0);
    writeBooks(movedTimes(books, age));
  } catch (error) {
    await sql`rollback to savepoint past`.execute(trx);
    warn(`The demo opens without its past: ${(error as Error).message}. To make it again: npm run demo-past`);
  }
}

async function hasRows(trx: Transaction): Promise<boolean> {
  const each = PAST_TABLES.map((table) => sql`exists (select from ${sql.table(table)})`);
  const { rows } = await sql<{ found: boolean }>`select ${sql.join(each, sql` or `)} as found`.execute(trx);
  return rows[0]?.found ?? false;
}

/** Whether all customers and orders are those of the recorded past: since then nobody has registered or bought. */
export async function isOnlyPast(on: Db | Transaction): Promise<boolean> {
  const ids: Record<string, unknown[]> = { users: [], orders: [] };
  for await (const { table, row } of rowsOf(PAST_FILE)) ids[table]?.push(row.id);
  const { rows } = await sql<{ isOnly: boolean }>`select
    not exists (select from users where id <> all (${ids.users}::text[]))
    and not exists (select from orders where id <> all (${ids.orders}::uuid[])) as is_only`.execute(on);
  return rows[0]?.isOnly ?? false;
}

function writeBooks(books: string): void {
  const file = path.join(env.dataDir, BOOKS_FILE);
  writeFileSync(`${file}.new`, books, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
