import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { retryingTransaction, type Transaction } from "./db.server.ts";
import { sqlType, statementWithCommit } from "./statement.server.ts";

const database = useDatabase({ max: 2 });
const db = () => database.db();

describe("a statement that takes its COMMIT along", () => {
  beforeAll(() => sql`create table notes (note text primary key)`.execute(db()));

  const add = (trx: Transaction, note: string) => sql`insert into notes values (${note})`.execute(trx);
  const addLast = statementWithCommit(
    { takes: { note: sqlType.text }, gives: { note: sqlType.text } },
    "insert into notes values (:note) returning note",
  );
  const notes = async () => (await sql<{ note: string }>`select note from notes order by note`.execute(db())).rows;

  test("is committed with what came before it, without another word of its transaction", async () => {
    await retryingTransaction(db(), async (trx) => {
      await add(trx, "a1");
      expect(await addLast(trx, { note: "a2" })).toEqual([{ note: "a2" }]);
      await expect.poll(notes).toEqual([{ note: "a1" }, { note: "a2" }]); // seen by another connection
    });
  });

  test("undoes all of it when it fails, and the connection works on", async () => {
    for (let round = 0; round < 4; round++) {
      const failing = retryingTransaction(db(), async (trx) => {
        await add(trx, "b1");
        await addLast(trx, { note: "a1" });
      });
      await expect(failing).rejects.toThrow("duplicate key");
    }
    expect(await notes()).toHaveLength(2);
  });

  test("lets no statement come after it", async () => {
    const going = retryingTransaction(db(), async (trx) => {
      await addLast(trx, { note: "c1" });
      await add(trx, "c2").catch(() => add(trx, "c3"));
    });
    await expect(going).rejects.toThrow("The transaction had ended with the statement before");
    expect(await notes()).toEqual([{ note: "a1" }, { note: "a2" }, { note: "c1" }]);
  });

  test("says so when the transaction was to be undone all the same", async () => {
    const undone = retryingTransaction(db(), async (trx) => {
      await addLast(trx, { note: "d1" });
      throw new Error("too late");
    });
    await expect(undone).rejects.toThrow("The transaction had ended with the statement before: rollback");
  });
});
