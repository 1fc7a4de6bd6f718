import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { retryingTransaction } from "#app/infra/database/db.server.ts";
import { sqlType, statementWithCommit } from "#app/infra/database/statement.server.ts";
import { Crashed, crashingDb } from "./crashing-db.ts";
import { useDatabase } from "./database.ts";

const { db, url } = useDatabase({ max: 2 });
const addLast = statementWithCommit({ takes: { note: sqlType.int }, gives: {} }, "insert into notes values (:note)");

beforeAll(() =>
  sql`create table notes (note integer);
    create function dawdle() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return null; end';
    create constraint trigger slow_commit after insert on notes deferrable initially deferred
      for each row execute function dawdle()`.execute(db()),
);

test.each([
  { at: 2, how: "after" as const, dies: "with the statement that takes it along" },
  { at: 3, how: "before" as const, dies: "when it asks what became of it" },
])("a slow COMMIT is through when a process has died $dies", async ({ at, how }) => {
  const dying = crashingDb(url(), at, how);
  await expect(retryingTransaction(dying.db, (trx) => addLast(trx, { note: at }))).rejects.toThrow(Crashed);
  expect((await sql`select from notes where note = ${at}`.execute(db())).rows).toHaveLength(1);
  await dying.db.destroy();
});
