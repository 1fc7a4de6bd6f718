import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readNotation } from "#app/content/notation.ts";
import { closeQueue, enqueue, openQueue } from "#app/infra/database/queue.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { publishText } from "#app/owner/texts/versions.server.ts";
import { OWNER } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { mailTo } from "#tests/support/mailbox.ts";
import { makeShopper } from "#tests/support/shop.ts";
import { startWorker } from "./worker.ts";

const database = useDatabase();
const db = () => database.db();

let stop: () => Promise<void>;
async function start(): Promise<void> {
  await closeQueue();
  await openQueue(database.url(), { works: true, name: "test worker" });
  stop = await startWorker();
}
beforeAll(start);
afterAll(() => stop());

test("F55 the jobs of every minute run, and cached pages stay when nothing is due", async () => {
  await stop();
  const changes = async () => (await sql`select * from catalog_changes`.execute(db())).rows;
  const before = await changes();
  // Otherwise the schedule is not checked again for half a minute.
  await sql`update jobs.version set cron_on = null`.execute(db());
  await start();
  const ended = sql<{ name: string }>`
    select distinct name from jobs.job where name in (select name from jobs.schedule where cron = '* * * * *') and state = 'completed' order by name`;
  await expect
    .poll(async () => (await ended.execute(db())).rows.map(({ name }) => name))
    .toEqual([
      "apply-prices",
      "publish-products",
      "send-notifications",
      "send-stock-alerts",
      "show-notice",
      "write-feeds",
    ]);
  expect(before).toEqual(expect.arrayContaining(await changes())); // old ones may have been forgotten meanwhile
});

test("an email has the text that the owner has published when it is sent", async () => {
  await publishText(db(), OWNER, "email-password-changed", { blocks: readNotation("Hi {first name}, all is well.") });
  const recipient = `${randomUUID()}@example.com`;
  const mail = { kind: "password-changed", data: { firstName: "Ada", url: "https://shop.example/x" } };
  await db()
    .transaction()
    .execute((trx) => queueMail(trx, { key: `password-changed:${recipient}`, recipient, ...mail }));
  expect((await mailTo(env.dataDir, recipient, /password/)).text).toContain("Hi Ada, all is well.");
});

test("unfinished sign-ins and ended sessions are deleted, the others stay", async () => {
  const { id: userId } = await makeShopper(db());
  const session = (device: string, began: string, used: string) =>
    db()
      .insertInto("sessions")
      .values({
        tokenHash: randomBytes(32),
        userId,
        device,
        createdAt: sql`now() - ${began}::interval`,
        usedAt: sql`now() - ${used}::interval`,
      })
      .execute();
  await session("too old", "31 days", "1 minute");
  await session("not used", "20 days", "15 days");
  await session("in use", "29 days", "13 days");
  const state = (kept: string, ends: string) =>
    db()
      .insertInto("openIdStates")
      .values({
        stateHash: randomBytes(32),
        kept: JSON.stringify(kept),
        expiresAt: sql`now() + ${ends}::interval`,
      })
      .execute();
  await state("late", "-1 second");
  await state("under way", "5 minutes");

  await db()
    .transaction()
    .execute((trx) => enqueue(trx, "forget-changes", {}));
  await vi.waitFor(
    async () => {
      expect(await db().selectFrom("sessions").select("device").execute()).toEqual([{ device: "in use" }]);
      expect(await db().selectFrom("openIdStates").select("kept").execute()).toEqual([{ kept: "under way" }]);
    },
    { timeout: 30_000 },
  );
});
