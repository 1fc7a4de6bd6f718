import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { DAY } from "#app/infra/durations.ts";
import { requeueMails } from "#app/infra/mail.server.ts";
import { countBlocked } from "#tests/support/blocked.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { OFFICE as by } from "#tests/support/returns.ts";
import { shopStatus } from "../status.server.ts";
import { listUndelivered, retryMail, retryMails } from "./mails.server.ts";

const { db } = useDatabase();

async function mail(state: "queued" | "sent" | "failed", daysAgo: number): Promise<string> {
  const row = {
    idempotencyKey: randomUUID(),
    messageId: randomUUID(),
    recipient: "ada@example.com",
    kind: "order-sent",
  };
  const written = { ...row, data: "{}", state, createdAt: new Date(Date.now() - daysAgo * DAY) };
  return (await db().insertInto("outbox").values(written).returning("id").executeTakeFirstOrThrow()).id;
}

test("undelivered mails are listed as Today counts them, and retried once", async () => {
  const [refused, givenUp] = [await mail("failed", 1), await mail("queued", 3)];
  await Promise.all([mail("failed", 9), mail("sent", 1), mail("queued", 1)]);
  const ids = async () => (await listUndelivered(db())).rows.map(({ id }) => id);
  expect(await ids()).toEqual([refused, givenUp]);
  expect((await shopStatus(db())).mails).toMatchObject({ givenUp: 1, refused: 1 });
  expect(await retryMail(db(), by, refused)).toMatchObject({ ok: true });
  expect(await retryMail(db(), by, refused)).toMatchObject({ ok: false });
  expect(await ids()).toEqual([givenUp]);
  expect((await retryMails(db(), by, "refused")).resent).toBeGreaterThan(0);
  expect(await ids()).toEqual([]);
});

test("48 mails that are half an hour late are counted, with the server's response to the oldest; a retry resets the time", async () => {
  const waiting = async () => (await shopStatus(db())).mails.waiting;
  await db().deleteFrom("outbox").execute();
  const [longest, later] = [await mail("queued", 0.5), await mail("queued", 0.25)];
  await Promise.all([mail("queued", 0.02), mail("queued", 3), mail("sent", 1)]);
  expect(await waiting()).toMatchObject({ count: 2, error: null });
  const said = (id: string, lastError: string) =>
    db().updateTable("outbox").set({ lastError }).where("id", "=", id).execute();
  await said(longest, "Error: Invalid login: 535 Wrong password");
  await said(later, "Error: connect ECONNREFUSED");
  expect(await waiting()).toMatchObject({ count: 2, error: "Invalid login: 535 Wrong password" });
  expect((await command(db(), ["status"])).text).toMatch(
    /emails waiting +2, the oldest since .*\(12 hours ago\); the mail server says: Invalid login: 535 Wrong password/,
  );
  await retryMails(db(), by, "given-up");
  expect(await waiting()).toMatchObject({ count: 0, since: null });
});

test("two simultaneous requests retry a mail once", async () => {
  await mail("queued", 3);
  const [first, second] = [await db().startTransaction().execute(), await db().startTransaction().execute()];
  expect(await requeueMails(first, "given-up")).toBe(1);
  const waiting = requeueMails(second, "given-up");
  await expect.poll(() => countBlocked(db())).toBe(1);
  await first.commit().execute();
  expect(await waiting).toBe(0);
  await second.commit().execute();
});
