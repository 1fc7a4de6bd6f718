import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import nodemailer from "nodemailer";
import { type Brand, SHIPPED_BRAND } from "#app/brand/brand.ts";
import { batched } from "#app/infra/database/batch.server.ts";
import { type Db, db, type Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { millisecondsSql, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { DAY, inSeconds, SECOND } from "#app/infra/durations.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { dependency } from "./outage-log.server.ts";
import { knownBrand, shopSettings } from "./settings/shop-settings.server.ts";

export type Mail = {
  key: string;
  recipient: string;
  kind: string;
  data: Record<string, unknown>;
  /** Whether the recipient's address is deleted as soon as the mail has been sent. */
  forgetRecipient?: boolean;
  /** How long it waits before it is sent, in ms. */
  wait?: number;
};
/**
 * Renders the mails of each kind. `shop` is the origin of the shop's pages, the address for questions, and the
 * words and numbers that the owner has set, `recipient` the address of the reader.
 */
export type Renderers = Record<
  string,
  (
    data: unknown,
    shop: { url: string; contact: string; brand?: Brand; numbers?: Numbers },
    recipient: string,
  ) => Promise<{ subject: string; html: string; text: string }>
>;

/** A mail as it waits to be sent. `key`: its idempotency key. */
export type QueuedMail = { id: string; key: string; kind: string; data: unknown; recipient: string };
/** A file that a mail brings. */
export type Attachment = { filename: string; content: Buffer; contentType: string };

const outbox = path.join(env.dataDir, "outbox");

/** Replaces an address after its owner's data was erased. */
export const NOBODY = "deleted";
/** The address of a customer who has given none, at a stall. */
export const NO_ADDRESS = "";

/** Whether mails to this address can go out at all. */
export const isReached = (recipient: string) => recipient !== NOBODY && recipient !== NO_ADDRESS;

/**
 * The end of an answer to staff about a change that is mailed: that the customer is emailed. Empty where the order has
 * no address to mail to.
 */
export function emailedText(recipient: string, { after = ";", who = "shopper" } = {}): string {
  return isReached(recipient) ? `${after} the ${who} is emailed` : "";
}

const insertMail = statement(
  {
    takes: {
      key: sqlType.text,
      recipient: sqlType.text,
      kind: sqlType.text,
      data: sqlType.json<Record<string, unknown>>(),
      state: sqlType.textOf<"queued" | "failed">(),
      forgetRecipient: sqlType.bool,
      messageId: sqlType.text,
    },
    gives: { id: sqlType.uuid },
  },
  `insert into outbox (idempotency_key, recipient, kind, data, state, forget_recipient, message_id)
   values (:key, :recipient, :kind, :data, :state, :forgetRecipient, :messageId)
   on conflict (idempotency_key) do nothing returning id`,
);

/**
 * Queues a mail in the transaction of the change that it reports. A mail with the same key is never queued twice: false
 * if there is one. A mail to NOBODY or NO_ADDRESS is recorded as failed, and is to NOBODY then.
 */
export async function queueMail(
  trx: Transaction,
  { key, recipient, kind, data, forgetRecipient = false, wait = 0 }: Mail,
): Promise<boolean> {
  const hasReader = isReached(recipient);
  const [row] = await insertMail(trx, {
    key,
    recipient: hasReader ? recipient : NOBODY,
    kind,
    data: hasReader ? data : {},
    state: hasReader ? "queued" : "failed",
    forgetRecipient,
    messageId: `<${crypto.randomUUID()}@${env.publicUrl.hostname}>`,
  });
  if (row && hasReader) await enqueue(trx, "send-mail", { id: row.id }, { startAfter: inSeconds(wait) });
  return row !== undefined;
}

/**
 * Enhanced status codes of replies to RCPT TO: about the mailbox, or about us, such as a relay that wants a password, a
 * block list, or an unknown sender.
 */
const OF_MAILBOX = /^5\.(1\.(?![78]$)|2\.)/;
const OF_US = /^5\.(1\.[78]$|[57]\.)/;

/** Whether the server says permanently that there is no such mailbox. After any other error a retry may succeed. */
function isMailboxRefused(error: unknown): boolean {
  const { command, response = "" } = error as { command?: string; response?: string };
  if (command !== "RCPT TO") return false;
  const [, code = "", enhanced = ""] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? [];
  return OF_MAILBOX.test(enhanced) || (["550", "551", "553"].includes(code) && !OF_US.test(enhanced));
}

const mailsOf = statement(
  {
    takes: { ids: sqlType.textList() },
    gives: {
      id: sqlType.uuid,
      state: sqlType.text,
      tries: sqlType.int,
      key: sqlType.text,
      kind: sqlType.text,
      data: sqlType.json<unknown>(),
      recipient: sqlType.text,
      messageId: sqlType.text,
      createdAt: sqlType.time,
    },
  },
  `select id, state, tries, idempotency_key as key, kind, data, recipient, message_id, created_at
   from outbox where id = any(:ids::text[]::uuid[])`,
);
/** The jobs of a batch start together, so one statement reads all of their mails. */
const findMails = batched(
  async (on, ids: string[]) => new Map((await mailsOf(on, { ids })).map((mail) => [mail.id, mail])),
);

const RECIPIENT_IF_KEPT = `case when forget_recipient then '${NOBODY}' else recipient end`;
const writeSent = statement(
  { takes: { id: sqlType.uuid, tries: sqlType.int }, gives: {} },
  `update outbox set state = 'sent', tries = :tries, sent_at = now(), last_error = null, data = '{}',
     recipient = ${RECIPIENT_IF_KEPT}
   where id = :id`,
);

/**
 * Sends one queued mail. If it runs twice, the mail is sent once more at most, under the same Message-ID. An error is
 * stored in the row and thrown, so that the job is retried, unless the mailbox does not exist. The content of a sent
 * mail is deleted, since it may hold a link's code. `attachmentsOf` makes the files that the mail brings.
 */
export async function sendQueuedMail(
  id: string,
  renderers: Renderers,
  on: Db = db(),
  attachmentsOf: (on: Db, mail: QueuedMail) => Promise<Attachment[]> = async () => [],
): Promise<void> {
  const row = (await findMails(on, id)).get(id);
  if (row?.state !== "queued") return;
  const tries = row.tries + 1;
  try {
    const render = renderers[row.kind];
    if (!render) throw new Error(`No mail of the kind '${row.kind}' is known`);
    const { contact, brand, numbers } = await shopSettings(on);
    const shop = { url: env.publicUrl.origin, contact: contact.email, brand, numbers };
    const rendered = await render(row.data, shop, row.recipient);
    const attachments = await attachmentsOf(on, row);
    await send({
      ...rendered,
      ...(attachments.length > 0 && { attachments }),
      replyTo: contact.email,
      to: row.recipient,
      messageId: row.messageId,
      date: row.createdAt,
    });
  } catch (error) {
    const lastError = String(error);
    if (!isMailboxRefused(error)) {
      await on.updateTable("outbox").set({ tries, lastError }).where("id", "=", id).execute();
      throw error;
    }
    await on
      .updateTable("outbox")
      .set({
        state: "failed",
        tries,
        recipient: sql.raw<string>(RECIPIENT_IF_KEPT),
        lastError: sql`case when forget_recipient then null else ${lastError} end`,
        data: sql`case when forget_recipient then '{}' else data end`,
      })
      .where("id", "=", id)
      .execute();
    // The error quotes the address, so it is stored with the mail and not logged.
    const { responseCode: reply } = error as { responseCode?: number };
    log.warn({ id, kind: row.kind, reply }, "a mail cannot be delivered to its address");
    return;
  }
  await writeSent(on, { id, tries });
}

/**
 * Queued, but without a job: either the retries of two days have failed, or the mail was restored from a backup, which
 * holds no jobs.
 */
const IS_GIVEN_UP = sql<boolean>`(outbox.state = 'queued' and not exists (
  select from jobs.job
  where name = 'send-mail' and data ->> 'id' = outbox.id::text and job.state in ('created', 'retry', 'active')))`;

/** Given up, and older than the two days of retries. */
export const IS_LOST = sql<boolean>`(${IS_GIVEN_UP} and outbox.created_at < now() - ${millisecondsSql(2 * DAY)})`;

/** Refused by a server because the mailbox does not exist. A refused mail may be sent again. */
const IS_REFUSED = sql<boolean>`(outbox.state = 'failed' and recipient <> ${NOBODY})`;
const IS_RECENT = sql<boolean>`outbox.created_at > now() - ${millisecondsSql(7 * DAY)}`;

/** Undelivered mails that the owner is told about: given up, or refused in the last 7 days. */
export const IS_UNDELIVERED = sql<boolean>`(${IS_LOST} or ${IS_REFUSED} and ${IS_RECENT})`;

/** Mails of the last 7 days that a server has refused because there is no such mailbox. */
export function refusedMails(on: Db) {
  return on
    .selectFrom("outbox")
    .select(["kind", "recipient", "lastError"])
    .where(IS_REFUSED)
    .where(IS_RECENT)
    .orderBy("createdAt")
    .execute();
}

/**
 * Queues mails again and returns their number. "given-up": all without a job. "refused": also those refused in the last
 * 7 days. `to`: all unsent mails to one address. `id`: one mail.
 */
export async function requeueMails(
  trx: Transaction,
  which: "given-up" | "refused" | { to: string } | { id: string },
): Promise<number> {
  const isWanted =
    which === "given-up"
      ? IS_GIVEN_UP
      : which === "refused"
        ? sql<boolean>`(${IS_GIVEN_UP} or ${IS_REFUSED} and ${IS_RECENT})`
        : "to" in which
          ? sql<boolean>`((${IS_GIVEN_UP} or ${IS_REFUSED}) and recipient = ${which.to})`
          : sql<boolean>`((${IS_GIVEN_UP} or ${IS_REFUSED}) and outbox.id = ${which.id})`;
  // Calls wait for each other, so that each sees the jobs that the previous one has enqueued.
  await sql`select pg_advisory_xact_lock(hashtextextended('requeue mails', 0))`.execute(trx);
  const rows = await trx.updateTable("outbox").set({ state: "queued" }).where(isWanted).returning("id").execute();
  for (const { id } of rows) await enqueue(trx, "send-mail", { id });
  return rows.length;
}

/**
 * Deletes the address from mails to it or about `subjects` (the ids in the mails' keys), sent or failed. A mail that is
 * still queued loses the address as soon as it is sent or given up.
 */
export async function eraseRecipients(trx: Transaction, address: string, subjects: string[] = []): Promise<void> {
  const isQueued = sql`state = 'queued'`;
  const [names, plain] = [subjects.filter((id) => id.includes(":")), subjects.filter((id) => !id.includes(":"))];
  const named = sql`substr(idempotency_key, strpos(idempotency_key, ':') + 1) || ':'`;
  // Imported sales may have ids of any form.
  const isAbout = sql`split_part(idempotency_key, ':', 2) = any(${plain}::text[])
    or exists (select from unnest(${names}::text[]) id where starts_with(${named}, id || ':'))`;
  await trx
    .updateTable("outbox")
    .set({
      forgetRecipient: true,
      recipient: sql`case when ${isQueued} then recipient else ${NOBODY} end`,
      lastError: null,
      data: sql`case when ${isQueued} then data else '{}' end`,
    })
    .where(sql<boolean>`(recipient = ${address} or ${isAbout})`)
    .execute();
  await forgetGivenUpMails(trx);
}

/** Deletes address and content of mails that were given up and are marked to be forgotten. */
export async function forgetGivenUpMails(on: Db | Transaction): Promise<void> {
  await on
    .updateTable("outbox")
    .set({ state: "failed", recipient: NOBODY, lastError: null, data: "{}" })
    .where("forgetRecipient", "=", true)
    .where(IS_GIVEN_UP)
    .execute();
}

export type Letter = {
  to: string;
  replyTo: string;
  subject: string;
  html: string;
  text: string;
  messageId: string;
  date: Date;
  attachments?: Attachment[];
};

const mailServer = dependency("the mail server");

const smtp = env.SMTP_URL
  ? nodemailer.createTransport({
      url: env.SMTP_URL,
      connectionTimeout: 10 * SECOND,
      greetingTimeout: 10 * SECOND,
      socketTimeout: 20 * SECOND,
    })
  : undefined;
const toBytes = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });

/**
 * The sender: MAIL_FROM, with the name that the owner has given the shop if it has none of its own. The demo needs no
 * MAIL_FROM.
 */
function sender(): string | { name: string; address: string } {
  const { MAIL_FROM: given } = env;
  const { name } = knownBrand();
  if (!given) return { name, address: "hello@irepo.example" };
  return given.includes("<") || name === SHIPPED_BRAND.name ? given : { name, address: given };
}

/**
 * The mail as nodemailer takes it. The address is an object, not a header's text, so that nothing in it can add a
 * recipient.
 */
export function envelopeOf({ to, subject, ...letter }: Letter) {
  // Mail programs would decode `=?utf-8?q?…?=` as an encoded word. The added character, which is not ASCII, makes
  // nodemailer encode the whole subject instead.
  const unambiguous = subject.replaceAll("=?", "=\u2060?");
  // RFC 3834: out-of-office programs do not reply to automatic mails.
  const headers = { "Auto-Submitted": "auto-generated" };
  return { from: sender(), to: { name: "", address: to }, subject: unambiguous, headers, ...letter };
}

/**
 * Returns the mail server's reply. Without a mail server it is undefined, and the mail is written to the demo's outbox.
 */
export async function send(letter: Letter): Promise<string | undefined> {
  const mail = envelopeOf(letter);
  if (smtp) {
    const { response } = await smtp.sendMail(mail).catch((error) => {
      if (error.command !== "RCPT TO") mailServer.failed(error); // RCPT TO concerns one recipient only
      throw error;
    });
    mailServer.works();
    return response;
  }
  const { message } = await toBytes.sendMail(mail);
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const name = `${new Date().toISOString().replaceAll(":", "-")}-${letter.messageId.slice(1, 9)}.eml`;
  await writeFile(path.join(outbox, `.${name}`), message as Buffer, { mode: 0o600 });
  await rename(path.join(outbox, `.${name}`), path.join(outbox, name));
  return;
}

/** The demo mailbox: file names, newest first. */
export async function listOutbox(): Promise<string[]> {
  const names = await readdir(outbox).catch(() => []);
  return names
    .filter((name) => /^[\w.-]+\.eml$/.test(name) && !name.startsWith("."))
    .sort()
    .reverse();
}

/** One message of the demo mailbox as bytes; null if no message has this name. */
export async function readOutbox(name: string): Promise<Buffer | null> {
  if (!(await listOutbox()).includes(name)) return null;
  return readFile(path.join(outbox, name));
}
