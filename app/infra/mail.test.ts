import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { sql } from "kysely";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const db = () => database.db();

type Fault = Pick<SMTPServerOptions, "onConnect" | "onRcptTo"> & { onTaken?(): Error | undefined };
let fault: Fault = {};
let taken: Email[] = [];
/** Sessions that the server has seen, including failed ones. */
let calls = 0;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onConnect(session, done) {
    calls++;
    fault.onConnect ? fault.onConnect(session, done) : done();
  },
  onRcptTo: (address, session, done) => (fault.onRcptTo ? fault.onRcptTo(address, session, done) : done()),
  async onData(stream, _, done) {
    taken.push(await PostalMime.parse(await text(stream)));
    done(fault.onTaken?.());
  },
});
server.on("error", () => undefined); // connections that a test cuts

type MailModule = typeof import("./mail.server.ts");
type QueueModule = typeof import("#app/infra/database/queue.server.ts");
let mail: MailModule;
let queue: QueueModule;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  vi.stubEnv("SMTP_URL", `smtp://127.0.0.1:${port}`);
  vi.resetModules();
  mail = await import("./mail.server.ts");
  queue = await import("#app/infra/database/queue.server.ts");
  await queue.openQueue(database.url(), { works: true, name: "test mail jobs" });
  await queue.workOn("send-mail", ({ id }) => mail.sendQueuedMail(id, renderers, db()));
});
afterAll(async () => {
  await queue?.closeQueue();
  await new Promise<void>((resolve) => server.close(resolve));
});
beforeEach(() => {
  fault = {};
  taken = [];
  calls = 0;
});

const renderers = {
  hello: async (data: unknown) => {
    const { name } = data as { name: string };
    return { subject: `Hello ${name}`, html: `<p>Hello ${name}</p>`, text: `Hello ${name}` };
  },
};

let count = 0;
async function queueHello({ recipient = "ada@example.com", name = "Ada" } = {}): Promise<string> {
  const key = `hello:${++count}`;
  await db()
    .transaction()
    .execute((trx) => mail.queueMail(trx, { key, recipient, kind: "hello", data: { name } }));
  return key;
}

const rowOf = (key: string) =>
  db().selectFrom("outbox").selectAll().where("idempotencyKey", "=", key).executeTakeFirstOrThrow();
/** Waits until a mail is in this state; its next try is due at once. */
const settled = (key: string, state: string) =>
  vi.waitFor(
    async () => {
      await sql`update jobs.job set start_after = now() where name = 'send-mail' and state = 'retry'`.execute(db());
      expect(await rowOf(key)).toMatchObject({ state });
    },
    { timeout: 20_000, interval: 50 },
  );

/** Waits until a mail's job is completed, so that it will not be retried. */
async function jobEnded(key: string): Promise<void> {
  const { id } = await rowOf(key);
  const job = sql<{ state: string }>`select state from jobs.job where name = 'send-mail' and data ->> 'id' = ${id}`;
  await expect.poll(async () => (await job.execute(db())).rows).toEqual([{ state: "completed" }]);
}

test("a queued mail arrives once, as text and HTML, under its Message-ID", async () => {
  const key = await queueHello();
  await settled(key, "sent");
  await jobEnded(key);
  const { messageId } = await rowOf(key);
  expect(taken).toHaveLength(1);
  expect(taken[0]).toMatchObject({
    messageId,
    subject: "Hello Ada",
    html: expect.stringContaining("<p>Hello Ada</p>"),
  });
  expect(taken[0]?.text?.trim()).toBe("Hello Ada");
  expect(taken[0]?.replyTo).toMatchObject([{ address: "hello@irepo.example" }]);
});

test.each<[string, (fail: Error) => Fault]>([
  ["refuses every connection for a while", (fail) => ({ onConnect: (_, done) => done(fail) })],
  ["says try again later", (fail) => ({ onRcptTo: (_, __, done) => done(fail) })],
  ["slams the door", () => ({ onConnect: ({ id }) => void cut(id) })],
])("a server that %s gets the mail later, with the same Message-ID", async (_, faulty) => {
  fault = faulty(Object.assign(new Error("Try again later"), { responseCode: 450 }));
  const key = await queueHello();
  await vi.waitFor(async () => expect((await rowOf(key)).tries).toBeGreaterThan(0), { timeout: 20_000 });
  expect(taken).toHaveLength(0);
  expect((await rowOf(key)).lastError).toBeTruthy();
  fault = {};
  await settled(key, "sent");
  expect(taken.map(({ messageId }) => messageId)).toEqual([(await rowOf(key)).messageId]);
});

test("a mail whose acceptance got lost is sent again with the same Message-ID, so that its reader sees one", async () => {
  let first = true;
  fault = {
    onTaken: () => {
      if (!first) return undefined;
      first = false;
      return Object.assign(new Error("Lost"), { responseCode: 421 });
    },
  };
  const key = await queueHello();
  await settled(key, "sent");
  expect(new Set(taken.map(({ messageId }) => messageId)).size).toBe(1);
  expect(taken).toHaveLength(2);
});

test("a slow server is waited for", async () => {
  fault = { onConnect: (_, done) => void setTimeout(done, 500) };
  await settled(await queueHello(), "sent");
  expect(taken).toHaveLength(1);
});

test("a mail to a mailbox that does not exist is not retried, and the failure is stored", async () => {
  fault = { onRcptTo: (_, __, done) => done(Object.assign(new Error("No such user"), { responseCode: 550 })) };
  const key = await queueHello();
  await settled(key, "failed");
  await jobEnded(key);
  expect(await rowOf(key)).toMatchObject({ tries: 1, lastError: expect.stringContaining("No such user") });
  expect(calls).toBe(1);
});

test("S60 the log has no address, although the server's reply quotes it", async () => {
  const { log } = await import("./log.server.ts");
  const warned = vi.spyOn(log, "warn");
  fault = { onRcptTo: (_, __, done) => done(replyOf("550 5.1.1 <ada@example.com>: User unknown")) };
  const key = await queueHello();
  await settled(key, "failed");
  await jobEnded(key); // the line is logged at its end
  const said = warned.mock.calls.filter(([, words]) => words === "a mail cannot be delivered to its address");
  expect(said).toEqual([[{ id: expect.any(String), kind: "hello", reply: 550 }, expect.any(String)]]);
});

test.each([
  "550 5.1.1 User unknown in local recipient table",
  "553 sorry, that mailbox is not here",
  "551 User not local",
  "552 5.2.2 Mailbox full",
])("“%s” is about the mailbox, and final", async (reply) => {
  fault = { onRcptTo: (_, __, done) => done(replyOf(reply)) };
  const key = await queueHello();
  await settled(key, "failed");
  expect(await rowOf(key)).toMatchObject({ tries: 1, lastError: expect.stringContaining(reply) });
});

test("a refusal that is about the shop leaves the mail queued until the cause is fixed", async () => {
  const replies = [
    "554 5.7.1 Relay access denied",
    "550 5.7.1 Service unavailable; client host blocked using a list",
    "550 5.1.8 Sender address rejected: Domain not found",
    "554 Your address is on a list",
    "503 5.5.1 Error: need MAIL command",
  ];
  fault = { onRcptTo: ({ address }, _, done) => done(replyOf(replies[Number.parseInt(address, 10)] ?? "")) };
  const keys = await Promise.all(replies.map((_, at) => queueHello({ recipient: `${at}@example.com` })));
  for (const [at, key] of keys.entries()) {
    await vi.waitFor(async () => expect((await rowOf(key)).tries).toBeGreaterThan(0), { timeout: 20_000 });
    expect(await rowOf(key)).toMatchObject({ state: "queued", lastError: expect.stringContaining(replies[at] ?? "") });
  }
  fault = {};
  for (const key of keys) await settled(key, "sent");
});

test("neither a failed job nor the log keeps the recipient", async () => {
  const { log } = await import("./log.server.ts");
  const warn = vi.spyOn(log, "warn");
  fault = { onRcptTo: (_, __, done) => done(replyOf("450 4.2.0 Greylisted, ada@example.com")) };
  const { id } = await rowOf(await queueHello());
  const output = await vi.waitFor(async () => {
    const { rows } = await sql<{ output: string | null }>`
      select output::text as output from jobs.job where name = 'send-mail' and data ->> 'id' = ${id}`.execute(db());
    expect(rows[0]?.output).toEqual(expect.any(String));
    return rows[0]?.output;
  }, 20_000);
  expect(output + inspect(warn.mock.calls, { depth: null })).not.toContain("ada@example.com");
});

test.each<[string, Fault, string]>([
  ["has gone out", {}, "sent"],
  ["cannot be delivered", { onRcptTo: (_, __, done) => done(replyOf("550 5.1.1 ada@example.com unknown")) }, "failed"],
])("nothing is left of a customer who was deleted while a mail waited, when it %s", async (_, end, state) => {
  fault = { onRcptTo: (_, __, done) => done(replyOf("450 4.2.0 Greylisted, ada@example.com")) };
  const key = await queueHello();
  await vi.waitFor(async () => expect((await rowOf(key)).tries).toBeGreaterThan(0), { timeout: 20_000 });
  await db()
    .transaction()
    .execute((trx) => mail.eraseRecipients(trx, "ada@example.com"));
  expect(await rowOf(key)).toMatchObject({ state: "queued", recipient: "ada@example.com" });
  fault = end;
  await settled(key, state);
  const { recipient, lastError, data } = await rowOf(key);
  expect({ recipient, lastError, data }).toEqual({ recipient: mail.NOBODY, lastError: null, data: {} });
});

test.each([
  "Ada\r\nBcc: eve@example.com",
  "Ada\nContent-Type: text/plain\n\nhello",
  "=?utf-8?Q?Ada?=",
  "“Ada” <eve@example.com>",
])("50: the name %j adds no header and no recipient", async (name) => {
  await settled(await queueHello({ name }), "sent");
  expect(taken[0]?.to).toEqual([{ name: "", address: "ada@example.com" }]);
  expect(taken[0]?.bcc).toBeUndefined();
  expect(taken[0]?.headers.filter(({ key }) => key === "content-type")).toHaveLength(1);
});

/** The error that makes the server send this reply. */
function replyOf(reply: string): Error {
  const [, code, text] = /^(\d{3}) (.*)$/.exec(reply) ?? [];
  return Object.assign(new Error(text), { responseCode: Number(code) });
}

/** Closes the connection of a session without a reply. */
function cut(id: string): void {
  for (const connection of server.connections as Set<{ id: string; _socket: { destroy(): void } }>)
    if (connection.id === id) connection._socket.destroy();
}
