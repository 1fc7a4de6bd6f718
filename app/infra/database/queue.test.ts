import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useDatabase } from "#tests/support/database.ts";
import { closeQueue, enqueue, openQueue, workOn } from "./queue.server.ts";

const database = useDatabase();
beforeAll(async () => {
  await closeQueue();
  await openQueue(database.url(), { works: true, name: "test worker" });
});
afterAll(closeQueue);

test("what several jobs that wait ask for alike is done once, and the rest each by itself", async () => {
  await database
    .db()
    .transaction()
    .execute(async (trx) => {
      for (const name of ["a", "b", "a", "a"]) await enqueue(trx, "remove-pictures", { names: [name] });
    });
  const done: string[] = [];
  await workOn("remove-pictures", async ({ names }) => {
    done.push(...names);
  });
  await expect.poll(async () => (await unfinished()).length).toBe(0);
  expect(done.sort()).toEqual(["a", "b"]);
});

async function unfinished(): Promise<unknown[]> {
  const { rows } = await sql`select id from jobs.job where name = 'remove-pictures' and state < 'completed'`.execute(
    database.db(),
  );
  return rows;
}
