import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { retryingTransaction, type Transaction } from "./db.server.ts";
import { sqlType, statementWithCommit } from "./statement.server.ts";

const database = useDatabase({ max: 2 });
const db = () => database.db();

describe("a statement that is sent together with its COMMIT", () => {
  beforeAll(() => sql`create table notes (note text primary key)`.execute(db()));

  const add = (trx: Transaction, note: string) => sql`insert into notes values (${note})`.execute(trx);
  const addLast = statementWithCommit(
    { takes: { note: sqlType.text }, gives: { note: sqlType.text } },
    "insert into notes values (:note) returning note",
  );
  const notes = async () => (await sql<{ note: string }>`select note from notes order by note`.execute(db())).rows;

  test("is committed with the statements before it, without a further round trip", async () => {
    await retryingTransaction(db(), async (trx) => {
      await add(trx, "a1");
      expect(await addLast(trx, { note: "a2" })).toEqual([{ note: "a2" }]);
      await expect.poll(notes).toEqual([{ note: "a1" }, { note: "a2" }]); // seen by another connection
    });
  });

  test("rolls the transaction back if it fails, and the connection stays usable", async () => {
    for (let round = 0; round < 4; round++) {
      const failing = retryingTransaction(db(), async (trx) => {
        await add(trx, "b1");
        await addLast(trx, { note: "a1" });
      });
      await expect(failing).rejects.toThrow("duplicate key");
    }
    expect(await notes()).toHaveLength(2);
  });

  test("refuses any later statement of the transaction", async () => {
    const going = retryingTransaction(db(), async (trx) => {
      await addLast(trx, { note: "c1" });
      await add(trx, "c2").catch(() => add(trx, "c3"));
    });
    await expect(going).rejects.toThrow("The transaction had ended with the statement before");
    expect(await notes()).toEqual([{ note: "a1" }, { note: "a2" }, { note: "c1" }]);
  });

  test("makes a later rollback an error", async () => {
    const undone = retryingTransaction(db(), async (trx) => {
      await addLast(trx, { note: "d1" });
      throw new Error("too late");
    });
    await expect(undone).rejects.toThrow("The transaction had ended with the statement before: rollback");
  });
});
