import { sql } from "kysely";
import { expect, test } from "vitest";
import { migrate } from "#app/infra/database/migrate.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();

test("migrating a second time does nothing", async () => {
  expect(await migrate(database.db())).toEqual([]);
});

test("a job asked for in a transaction that fails is never there", async () => {
  const failing = database
    .db()
    .transaction()
    .execute(async (trx) => {
      await enqueue(trx, "send-mail", { id: "1" });
      throw new Error("no");
    });
  await expect(failing).rejects.toThrow("no");
  const { rows } = await sql`select from jobs.job where name = 'send-mail'`.execute(database.db());
  expect(rows).toHaveLength(0);
});
