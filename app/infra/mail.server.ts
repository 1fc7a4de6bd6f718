import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import nodemailer from "nodemailer";
import { type Db, db, type Transaction } from "#app/infra/database/db.server.ts";
import { enqueue } from "#app/infra/database/queue.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { DAY, SECOND } from "#app/infra/durations.ts";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { dependency } from "./outage-log.server.ts";
import { shopSettings } from "./settings/shop-settings.server.ts";

export type Mail = {
  key: string;
  recipient: string;
  kind: string;
  data: Record<string, unknown>;
  /** The address is taken out as soon as the mail has gone out. */
  forgetRecipient?: boolean;
};
/** How a mail of each kind is written; `contact` is the address that questions go to. */
export type Renderers = Record<
  string,
  (data: unknown, contact?: string) => Promise<{ subject: string; html: string; text: string }>
>;

const outbox = path.join(env.dataDir, "outbox");

/** Stands where an address was, once its owner has been forgotten. */
export const NOBODY = "deleted";

/**
 * Queues a mail in the transaction of the change that it tells of; one with the same key is never queued twice. One to nobody is written down as
 * undeliverable. False: there is one with this key.
 */
export async function queueMail(
  trx: Transaction,
  { key, recipient, kind, data, forgetRecipient = false }: Mail,
): Promise<boolean> {
  const hasReader = recipient !== NOBODY;
  const row = await trx
    .insertInto("outbox")
    .values({
      idempotencyKey: key,
      recipient,
      kind,
      data: JSON.stringify(hasReader ? data : {}),
      state: hasReader ? "queued" : "failed",
      forgetRecipient,
      messageId: `<${crypto.randomUUID()}@${env.publicUrl.hostname}>`,
    })
    .onConflict((conflict) => conflict.column("idempotencyKey").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (row && hasReader) await enqueue(trx, "send-mail", { id: row.id });
  return row !== undefined;
}

/** The reply to RCPT TO may as well be about us: a relay that wants a password, a list that we are on, a sender that is unknown. */
const OF_MAILBOX = /^5\.(1\.(?![78]$)|2\.)/;
const OF_US = /^5\.(1\.[78]$|[57]\.)/;

/** The server says for good that there is no such mailbox. Everything else may be better next time. */
function isMailboxRefused(error: unknown): boolean {
  const { command, response = "" } = error as { command?: string; response?: string };
  if (command !== "RCPT TO") return false;
  const [, code = "", enhanced = ""] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? [];
  return OF_MAILBOX.test(enhanced) || (["550", "551", "553"].includes(code) && !OF_US.test(enhanced));
}

/**
 * Sends one queued mail; running twice sends it at most once more, under the same Message-ID. An error is kept on the row and thrown, so
 * that the job is tried again, unless the mailbox does not exist. What a sent mail said is forgotten: it may hold a link's code.
 */
export async function sendQueuedMail(id: string, renderers: Renderers, on: Db = db()): Promise<void> {
  const row = await on
    .selectFrom("outbox")
    .select(["state", "tries", "kind", "data", "recipient", "messageId", "createdAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row?.state !== "queued") return;
  const tries = row.tries + 1;
  try {
    const render = renderers[row.kind];
    if (!render) throw new Error(`No mail of the kind '${row.kind}' is known`);
    const { contact } = await shopSettings(on);
    await send({
      ...(await render(row.data, contact.email)),
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
        recipient: recipientIfKept,
        lastError: sql`case when forget_recipient then null else ${lastError} end`,
        data: sql`case when forget_recipient then '{}' else data end`,
      })
      .where("id", "=", id)
      .execute();
    // The error quotes the address; it stands beside the mail.
    const { responseCode: reply } = error as { responseCode?: number };
    log.warn({ id, kind: row.kind, reply }, "a mail cannot be delivered to its address");
    return;
  }
  await on
    .updateTable("outbox")
    .set({ state: "sent", tries, sentAt: new Date(), recipient: recipientIfKept, lastError: null, data: "{}" })
    .where("id", "=", id)
    .execute();
}

const recipientIfKept = sql<string>`case when forget_recipient then ${NOBODY} else recipient end`;

/** Nobody tries to send it any more: tried for two days, or restored, since jobs are no part of a backup. */
const isGivenUp = sql<boolean>`(outbox.state = 'queued' and not exists (
  select from jobs.job
  where name = 'send-mail' and data ->> 'id' = outbox.id::text and job.state in ('created', 'retry', 'active')))`;

/** Given up, and so old that its first try is not still to come. */
export const isLost = sql<boolean>`(${isGivenUp} and outbox.created_at < now() - ${milliseconds(2 * DAY)})`;

/** What servers have refused as going to no mailbox, and may be asked again. */
const isRefused = sql<boolean>`(outbox.state = 'failed' and recipient <> ${NOBODY})`;
const isRecent = sql<boolean>`outbox.created_at > now() - ${milliseconds(7 * DAY)}`;

/** What a person is told of as not arrived: given up, or refused in the last 7 days. */
export const isUndelivered = sql<boolean>`(${isLost} or ${isRefused} and ${isRecent})`;

/** Mails of the last 7 days that servers have refused as going to no mailbox. */
export function refusedMails(on: Db) {
  return on
    .selectFrom("outbox")
    .select(["kind", "recipient", "lastError"])
    .where(isRefused)
    .where(isRecent)
    .orderBy("createdAt")
    .execute();
}

/**
 * Asks for the sending of all that is queued and tried by nobody, also of what was refused in the last 7 days; or of everything to one address that
 * has not gone out; or of one mail. Returns how many.
 */
export async function requeueMails(
  trx: Transaction,
  which: "given-up" | "refused" | { to: string } | { id: string },
): Promise<number> {
  const isWanted =
    which === "given-up"
      ? isGivenUp
      : which === "refused"
        ? sql<boolean>`(${isGivenUp} or ${isRefused} and ${isRecent})`
        : "to" in which
          ? sql<boolean>`((${isGivenUp} or ${isRefused}) and recipient = ${which.to})`
          : sql<boolean>`((${isGivenUp} or ${isRefused}) and outbox.id = ${which.id})`;
  await sql`select pg_advisory_xact_lock(hashtextextended('requeue mails', 0))`.execute(trx); // each sees what the one before has asked for
  const rows = await trx.updateTable("outbox").set({ state: "queued" }).where(isWanted).returning("id").execute();
  for (const { id } of rows) await enqueue(trx, "send-mail", { id });
  return rows.length;
}

/**
 * Takes the address out of what was sent to it or about `subjects` (the ids in the mails' keys), or could not be; out of what is still to be sent as soon
 * as it has gone out or was given up.
 */
export async function eraseRecipients(trx: Transaction, address: string, subjects: string[] = []): Promise<void> {
  const isQueued = sql`state = 'queued'`;
  const [names, plain] = [subjects.filter((id) => id.includes(":")), subjects.filter((id) => !id.includes(":"))];
  const named = sql`substr(idempotency_key, strpos(idempotency_key, ':') + 1) || ':'`;
  const isAbout = sql`split_part(idempotency_key, ':', 2) = any(${plain}::text[])
    or exists (select from unnest(${names}::text[]) id where starts_with(${named}, id || ':'))`; // a sale that moved in has any name
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

/** Of mails that nobody tries to send any more, takes out those that are to be forgotten. */
export async function forgetGivenUpMails(on: Db | Transaction): Promise<void> {
  await on
    .updateTable("outbox")
    .set({ state: "failed", recipient: NOBODY, lastError: null, data: "{}" })
    .where("forgetRecipient", "=", true)
    .where(isGivenUp)
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

/** As nodemailer takes it. The address is an object, not a header text: nothing in it can add a recipient. */
export function envelopeOf({ to, subject, ...letter }: Letter) {
  // Mail programs would take `=?utf-8?q?…?=` for an encoded word; with what is no ASCII in it, it is sent as one itself.
  const unambiguous = subject.replaceAll("=?", "=\u2060?");
  return { from: env.MAIL_FROM, to: { name: "", address: to }, subject: unambiguous, ...letter };
}

async function send(letter: Letter): Promise<void> {
  const mail = envelopeOf(letter);
  if (smtp) {
    await smtp.sendMail(mail).then(mailServer.works, (error) => {
      if (error.command !== "RCPT TO") mailServer.failed(error); // that is about one reader
      throw error;
    });
    return;
  }
  const { message } = await toBytes.sendMail(mail);
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const name = `${new Date().toISOString().replaceAll(":", "-")}-${letter.messageId.slice(1, 9)}.eml`;
  await writeFile(path.join(outbox, `.${name}`), message as Buffer, { mode: 0o600 });
  await rename(path.join(outbox, `.${name}`), path.join(outbox, name));
}

/** The demo mailbox: file names, newest first. */
export async function listOutbox(): Promise<string[]> {
  const names = await readdir(outbox).catch(() => []);
  return names
    .filter((name) => /^[\w.-]+\.eml$/.test(name) && !name.startsWith("."))
    .sort()
    .reverse();
}

/** One message of the demo mailbox as bytes; null when there is none of that name. */
export async function readOutbox(name: string): Promise<Buffer | null> {
  if (!(await listOutbox()).includes(name)) return null;
  return readFile(path.join(outbox, name));
}
