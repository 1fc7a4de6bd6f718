import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import nodemailer from "nodemailer";
import { type Db, db, type Transaction } from "./db.server.ts";
import { env } from "./env.server.ts";
import { log } from "./log.server.ts";
import { enqueue } from "./queue.server.ts";

export type Mail = { key: string; recipient: string; kind: string; data: Record<string, unknown> };
export type Renderers = Record<string, (data: unknown) => Promise<{ subject: string; html: string; text: string }>>;

const SECOND = 1000;
const outbox = path.join(env.dataDir, "outbox");

/** Stands where an address was, once its owner has been forgotten. */
export const NOBODY = "deleted";

/**
 * Queues a mail in the transaction of the change that it tells of; one with the same key is never queued twice. One to nobody is written down as
 * undeliverable.
 */
export async function queueMail(trx: Transaction, { key, recipient, kind, data }: Mail): Promise<void> {
  const hasReader = recipient !== NOBODY;
  const row = await trx
    .insertInto("outbox")
    .values({
      key,
      recipient,
      kind,
      data: JSON.stringify(hasReader ? data : {}),
      state: hasReader ? "queued" : "failed",
      messageId: `<${crypto.randomUUID()}@${env.publicUrl.hostname}>`,
    })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (row && hasReader) await enqueue(trx, "send-mail", { id: row.id });
}

/** The server says for good that there is no such mailbox. Everything else may be better next time. */
function isRecipientRefused(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number };
  return command === "RCPT TO" && responseCode >= 500;
}

/**
 * Sends one queued mail; running twice sends it at most once more, under the same Message-ID. An error is kept on the row and thrown, so
 * that the job is tried again, unless the mailbox does not exist. What a sent mail said is forgotten: it may hold a link's code.
 */
export async function sendQueuedMail(id: string, renderers: Renderers, on: Db = db()): Promise<void> {
  const row = await on
    .selectFrom("outbox")
    .select(["state", "attempts", "kind", "data", "recipient", "messageId", "createdAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row?.state !== "queued") return;
  const attempts = row.attempts + 1;
  try {
    const render = renderers[row.kind];
    if (!render) throw new Error(`No mail of the kind '${row.kind}' is known`);
    await send({ ...(await render(row.data)), to: row.recipient, messageId: row.messageId, date: row.createdAt });
  } catch (error) {
    const isRefused = isRecipientRefused(error);
    await on
      .updateTable("outbox")
      .set({ attempts, lastError: String(error), ...(isRefused && { state: "failed" as const }) })
      .where("id", "=", id)
      .execute();
    if (!isRefused) throw error;
    log.warn({ err: error, id, kind: row.kind }, "a mail cannot be delivered to its address");
    return;
  }
  await on
    .updateTable("outbox")
    .set({ state: "sent", attempts, sentAt: new Date(), lastError: null, data: "{}" })
    .where("id", "=", id)
    .execute();
}

/** Nobody tries to send it any more: tried for two days, or restored, since jobs are no part of a backup. */
export const isGivenUp = sql<boolean>`(outbox.state = 'queued' and not exists (
  select from jobs.job
  where name = 'send-mail' and data ->> 'id' = outbox.id::text and job.state in ('created', 'retry', 'active')))`;

/** Asks for the sending of all that is queued and tried by nobody. Returns how many. */
export async function requeueMails(trx: Transaction): Promise<number> {
  const rows = await trx.selectFrom("outbox").select("id").where(isGivenUp).execute();
  for (const { id } of rows) await enqueue(trx, "send-mail", { id });
  return rows.length;
}

/** Takes addresses out of what was sent to them, or could not be; what is still to be sent goes out first. */
export async function forgetRecipients(trx: Transaction, recipients: string[]): Promise<void> {
  await trx
    .updateTable("outbox")
    .set({ recipient: NOBODY, lastError: null, data: "{}" })
    .where("recipient", "in", recipients)
    .where("state", "!=", "queued")
    .execute();
}

type Letter = { to: string; subject: string; html: string; text: string; messageId: string; date: Date };

const smtp = env.SMTP_URL
  ? nodemailer.createTransport({
      url: env.SMTP_URL,
      connectionTimeout: 10 * SECOND,
      greetingTimeout: 10 * SECOND,
      socketTimeout: 20 * SECOND,
    })
  : undefined;
const toBytes = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });

async function send({ to, ...letter }: Letter): Promise<void> {
  // An address object, not a header text: nothing in it can add a recipient.
  const mail = { from: env.MAIL_FROM, to: { name: "", address: to }, ...letter };
  if (smtp) {
    await smtp.sendMail(mail);
    return;
  }
  const { message } = await toBytes.sendMail(mail);
  await mkdir(outbox, { recursive: true });
  const name = `${new Date().toISOString().replaceAll(":", "-")}-${letter.messageId.slice(1, 9)}.eml`;
  await writeFile(path.join(outbox, `.${name}`), message as Buffer);
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
