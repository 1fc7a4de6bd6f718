import { sql } from "kysely";
import { expect, test } from "vitest";
import { queueMail } from "#app/infra/mail.server.ts";
import { useDatabase } from "#tests/support/database.ts";
import { commands } from "./commands.ts";

const database = useDatabase();
const db = () => database.db();
const say = (name: string, ...words: string[]) => commands[name]?.run(db(), words);

async function queueFrom(before: string): Promise<void> {
  const key = `hello:${before}`;
  const mail = { key, recipient: "ada@example.com", kind: "hello", data: {} };
  await db()
    .transaction()
    .execute((trx) => queueMail(trx, mail));
  await db()
    .updateTable("outbox")
    .set({ createdAt: sql`now() - ${before}::interval` })
    .where("key", "=", key)
    .execute();
}
const tries = async () => (await sql`select from jobs.job where state = 'created'`.execute(db())).rows.length;

test("a mail that is tried no more after two days is told of, and goes out again when the owner says so", async () => {
  await queueFrom("1 day");
  await queueFrom("3 days");
  expect(await say("check"), "the mail server is slow, and asked again and again").toMatchObject({ code: 0 });
  await sql`update jobs.job set state = 'failed' where name = 'send-mail'`.execute(db());
  expect(await say("check")).toMatchObject({
    code: 1,
    data: { broken: [{ rule: "I14", where: "hello to ada@example.com" }] },
  });
  expect(await say("mails", "resend")).toMatchObject({ code: 0, data: { resent: 2 } });
  expect(await tries()).toBe(2);
  expect(await say("check")).toMatchObject({ code: 0 });
  expect(await say("mails", "resend"), "each is tried by one alone").toMatchObject({ data: { resent: 0 } });
  expect(await tries()).toBe(2);
});

test("anything else is bad input", async () => {
  expect(await say("mails", "send")).toMatchObject({ code: 2 });
});
