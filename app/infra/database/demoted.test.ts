import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "#tests/support/ask-database.ts";
import { useDatabase } from "#tests/support/database.ts";
import { isDatabaseConnectionError } from "./connection-errors.ts";
import { createDb, createPool, type Db } from "./db.server.ts";
import { DatabaseWatch } from "./watch.server.ts";

const database = useDatabase();
const watch = new DatabaseWatch();

/** Makes new connections read-only or writable, as when another machine has become the primary. */
async function newConnectionsMay(write: boolean): Promise<void> {
  const settings = `alter database %I set default_transaction_read_only = ${write ? "off" : "on"}`;
  await ask(
    `${database.url()}?options=-cdefault_transaction_read_only%3Doff`,
    `do $$ begin execute format('${settings}', current_database()); end $$`,
  );
}

beforeAll(() => sql`create table notes (note text)`.execute(database.db()));
afterAll(() => watch.stop());

const insert = sql`insert into notes values ('a')`;

test.each([
  ["alone", (db: Db) => insert.execute(db)],
  ["in a transaction", (db: Db) => db.transaction().execute((trx) => insert.execute(trx))],
])(
  "a connection to a former primary is closed after its first write, %s, which counts as an outage of the database",
  async (_, write) => {
    const db = createDb(createPool({ url: database.url(), max: 1, name: "test demoted", watch }), watch);
    await newConnectionsMay(false);
    const begunAt = performance.now();
    const error = await write(db).catch((error) => error);
    expect([isDatabaseConnectionError(error), error]).toEqual([true, expect.any(Error)]);
    expect(watch.failedSince(begunAt)).toBe(true);
    await newConnectionsMay(true);
    await write(db);
    await db.destroy();
  },
);

test("a pooler's error about a lost connection counts before its own connection ends", async () => {
  const db = createDb(createPool({ url: database.url(), max: 1, name: "test pooler", watch }), watch);
  const begunAt = performance.now();
  const lost = sql`do $$ begin raise 'server conn crashed?' using errcode = '08P01'; end $$`.execute(db);
  await expect(lost).rejects.toThrow("server conn crashed?");
  expect(watch.failedSince(begunAt)).toBe(true);
  await db.destroy();
});
