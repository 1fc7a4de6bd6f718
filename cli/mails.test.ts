import { sql } from "kysely";
import { expect, test } from "vitest";
import { NOBODY, queueMail } from "#app/infra/mail.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();
const say = (...words: string[]) => command(db(), words);

async function queueFrom(before: string): Promise<void> {
  const key = `hello:${before}`;
  const mail = { key, recipient: "ada@example.com", kind: "hello", data: {} };
  await db()
    .transaction()
    .execute((trx) => queueMail(trx, mail));
  await db()
    .updateTable("outbox")
    .set({ createdAt: sql`now() - ${before}::interval` })
    .where("idempotencyKey", "=", key)
    .execute();
}
const tries = async () => (await sql`select from jobs.job where state = 'created'`.execute(db())).rows.length;

test("a mail that was given up after two days is reported, and 'mails resend' sends it again", async () => {
  await queueFrom("1 day");
  await queueFrom("3 days");
  expect(await say("check"), "the mail server is slow, and asked again and again").toMatchObject({ code: 0 });
  await sql`update jobs.job set state = 'failed' where name = 'send-mail'`.execute(db());
  expect(await say("check")).toMatchObject({
    code: 1,
    data: {
      broken: [
        { rule: "I14", where: "ada@example.com", what: expect.stringContaining("the mail hello was given up") },
        { rule: "I23", where: "mails", what: expect.stringMatching(/^1 wait since .*nobody has asked it$/) },
      ],
    },
  });
  expect(await say("mails", "resend")).toMatchObject({ code: 0, data: { resent: 2 } });
  expect(await tries()).toBe(2);
  expect(await say("check")).toMatchObject({ code: 0 });
  expect(await say("mails", "resend"), "each is tried by one alone").toMatchObject({ data: { resent: 0 } });
  expect(await tries()).toBe(2);
});

test("a mail to a mailbox that does not exist is reported, and sent again with --refused or the address", async () => {
  await db().deleteFrom("outbox").execute();
  for (const time of ["1 hour", "2 hours", "30 days"]) await queueFrom(time);
  await sql`update outbox set state = 'failed', last_error = 'Recipient command failed: 550 5.1.1 No such user'`.execute(
    db(),
  );
  await sql`update outbox set recipient = 'eve@example.com' where idempotency_key = 'hello:2 hours'`.execute(db());
  await sql`delete from jobs.job`.execute(db());
  const one = { kind: "hello", recipient: "ada@example.com", lastError: expect.stringContaining("No such user") };
  expect(await say("check"), "a customer's mistake in the address is nothing wrong with the shop").toMatchObject({
    code: 0,
    data: { broken: [], refusedMails: [{ ...one, recipient: "eve@example.com" }, one] },
    text: expect.stringContaining("hello to ada@example.com: Recipient command failed: 550 5.1.1 No such user"),
  });
  expect(await say("mails", "resend")).toMatchObject({ data: { resent: 0 } });
  expect(await say("mails", "resend", "Eve@Example.com")).toMatchObject({ code: 0, data: { resent: 1 } });
  expect(await say("mails", "resend", "--refused"), "as those that check names").toMatchObject({ data: { resent: 1 } });
  expect(await say("mails", "resend", "ada@example.com")).toMatchObject({ code: 0, data: { resent: 1 } });
  expect(await tries()).toBe(3);
  expect((await say("check")).data).not.toHaveProperty("refusedMails");
});

test("no mail is sent again to a deleted customer", async () => {
  await db().deleteFrom("outbox").execute();
  await queueFrom("1 hour");
  await sql`update outbox set state = 'failed', recipient = ${NOBODY}`.execute(db());
  expect((await say("check")).data).not.toHaveProperty("refusedMails");
  expect(await say("mails", "resend", "--refused")).toMatchObject({ data: { resent: 0 } });
});

test("anything else is bad input", async () => {
  expect(await say("mails", "send")).toMatchObject({ code: 2 });
  expect(await say("mails", "resend", "everything")).toMatchObject({ code: 2 });
});
