import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MINUTE } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { closeQueue, enqueue, openQueue, workOn } from "./queue.server.ts";

const database = useDatabase();
beforeAll(async () => {
  await closeQueue();
  await openQueue(database.url(), { works: true, name: "test worker" });
});
afterAll(closeQueue);

test("waiting jobs with the same data run once, the others each", async () => {
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

test("F55 the reason of a failed job is logged", async () => {
  const warn = vi.spyOn(log, "warn");
  const err = new Error("no rate today");
  await workOn("refresh-rate", () => Promise.reject(err));
  await database
    .db()
    .transaction()
    .execute((trx) => enqueue(trx, "refresh-rate", {}));
  await expect
    .poll(() => warn.mock.calls)
    .toEqual([[{ err, queue: "refresh-rate" }, "a job has failed and is tried again"]]);
});

test("F55 a job that takes too long is aborted, and logged", async () => {
  const warn = vi.spyOn(log, "warn");
  let told: AbortSignal | undefined;
  await workOn("forget-changes", (_, stopping) => {
    told = stopping;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // for the job's time limit
    return new Promise(() => undefined);
  });
  await database
    .db()
    .transaction()
    .execute((trx) => enqueue(trx, "forget-changes", {}));
  await expect.poll(() => told?.aborted).toBe(false);
  vi.advanceTimersByTime(MINUTE);
  vi.useRealTimers();
  await expect.poll(() => told?.aborted).toBe(true);
  expect(warn.mock.calls).toEqual([
    [{ err: new Error("It is not done after 59 s"), queue: "forget-changes" }, expect.any(String)],
  ]);
});

test("queues of jobs that nobody waits for are polled less often", async () => {
  const sent = vi.spyOn(pg.Client.prototype, "query");
  const looksFor = (name: string) =>
    sent.mock.calls.filter(([query]) => {
      const text = typeof query === "string" ? query : (query as { text?: string }).text;
      return text?.includes("SKIP LOCKED") && text.includes(`'${name}'`);
    }).length;
  await workOn("show-notice", async () => undefined);
  await workOn("review-refunds", async () => undefined);
  await expect.poll(() => looksFor("show-notice")).toBeGreaterThan(4);
  expect([1, 2]).toContain(looksFor("review-refunds"));
  sent.mockRestore();
});

test("a job that is fetched while the queue closes does not begin, and waits for the next process", async () => {
  const warn = vi.spyOn(log, "warn");
  const work = vi.fn(async () => undefined);
  let closing: Promise<void> | undefined;
  await database
    .db()
    .transaction()
    .execute((trx) => enqueue(trx, "remove-pictures", { names: ["a"] }));
  await database
    .db()
    .transaction()
    .execute(async (trx) => {
      await sql`lock table jobs.job in exclusive mode`.execute(trx);
      await workOn("remove-pictures", work);
      await expect.poll(fetching).toBe(1);
      closing = closeQueue();
    });
  await closing;
  expect(work).not.toHaveBeenCalled();
  expect(await unfinished()).toHaveLength(1);
  expect(warn).not.toHaveBeenCalled();
  await openQueue(database.url(), { works: true, name: "test worker" });
});

test("existing queues get this version's limits", async () => {
  const limit = sql<{ retryLimit: number }>`select retry_limit from jobs.queue where name = 'send-mail'`;
  await sql`update jobs.queue set retry_limit = 1 where name = 'send-mail'`.execute(database.db());
  await closeQueue();
  await openQueue(database.url(), { works: true, name: "test worker" });
  expect((await limit.execute(database.db())).rows).toEqual([{ retryLimit: 100 }]);
});

async function unfinished(): Promise<unknown[]> {
  const { rows } = await sql`select id from jobs.job where name = 'remove-pictures' and state < 'completed'`.execute(
    database.db(),
  );
  return rows;
}

/** The number of connections that fetch jobs and wait for a lock. */
async function fetching(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%remove-pictures%'`.execute(
    database.db(),
  );
  return rows.length;
}
