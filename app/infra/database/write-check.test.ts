import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { writeCheck } from "./write-check.server.ts";

const database = useDatabase();

test("a thousand simultaneous checks, and those within the next second, write once", async () => {
  const on = vi.fn(database.db);
  const works = writeCheck(on);
  expect(new Set(await Promise.all(Array.from({ length: 1000 }, works)))).toEqual(new Set([true]));
  expect(await works()).toBe(true);
  expect(on).toHaveBeenCalledTimes(3); // one statement that writes, one that reads, one that takes room
  expect(await database.db().selectFrom("writeCheck").selectAll().execute()).toHaveLength(1);
});

test("a check a second later writes again", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(5000);
  const works = writeCheck(database.db);
  const writtenAt = () => database.db().selectFrom("writeCheck").select("writtenAt").executeTakeFirstOrThrow();
  await works();
  const first = await writtenAt();
  clock.mockReturnValue(6001);
  expect(await works()).toBe(true);
  expect(await writtenAt()).not.toEqual(first);
  clock.mockRestore();
});

test("a read-only database fails the check", async () => {
  await database
    .db()
    .connection()
    .execute(async (connection) => {
      await sql`set default_transaction_read_only = on`.execute(connection);
      expect(await writeCheck(() => connection)()).toBe(false);
    });
  await expect.poll(() => writeCheck(database.db)()).toBe(true); // by another connection, when that one has ended
});

test("a database that does not answer fails the check, and is not queried again meanwhile", async () => {
  await database
    .db()
    .connection()
    .execute(async (holder) => {
      await sql`begin`.execute(holder);
      await sql`lock table write_check in access exclusive mode`.execute(holder);
      const on = vi.fn(database.db);
      const works = writeCheck(on);
      expect(await Promise.all([works(), works()])).toEqual([false, false]);
      expect(on).toHaveBeenCalledTimes(1);
      await sql`rollback`.execute(holder);
    });
});

test("49 a full disk fails the check even if the row fits, at the database and in the shop's own folder", async () => {
  await database
    .db()
    .connection()
    .execute(async (connection) => {
      await sql`set temp_file_limit = '100kB'`.execute(connection);
      expect(await writeCheck(() => connection)()).toBe(false);
      await sql`reset temp_file_limit`.execute(connection);
    });
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-room-"));
  expect(await writeCheck(database.db, folder)()).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
  expect(await writeCheck(database.db, folder)()).toBe(false);
});
