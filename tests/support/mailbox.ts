import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";

const WITHIN = 30_000;
const LOOK = 100;

type File = { name: string; type: string; bytes: Buffer };
type Mail = { subject: string; text: string; html: string; files: File[] };

/** Waits for the newest mail to this address with a matching subject. Returns its contents as the reader sees them. */
export async function mailTo(dataDir: string, recipient: string, subject: RegExp): Promise<Mail> {
  for (const until = Date.now() + WITHIN; Date.now() < until; await pause(LOOK)) {
    const mail = await newest(path.join(dataDir, "outbox"), recipient, subject);
    if (mail) return mail;
  }
  throw new Error(`No mail to ${recipient} with a subject like ${subject}`);
}

async function newest(outbox: string, recipient: string, subject: RegExp): Promise<Mail | undefined> {
  const names = existsSync(outbox) ? readdirSync(outbox).filter((name) => /^[^.].*\.eml$/.test(name)) : [];
  for (const name of names.sort().reverse()) {
    const bytes = readFileSync(path.join(outbox, name));
    if (!bytes.includes(recipient)) continue; // parsing an outbox of a hundred mails would take long
    const mail = await PostalMime.parse(bytes);
    if (mail.to?.[0]?.address === recipient && subject.test(mail.subject ?? ""))
      return { subject: mail.subject ?? "", text: mail.text ?? "", html: mail.html ?? "", files: filesOf(mail) };
  }
}

const filesOf = ({ attachments }: Email): File[] =>
  attachments.map(({ filename, mimeType, content }) => ({
    name: filename ?? "",
    type: mimeType,
    bytes: Buffer.from(content as ArrayBuffer),
  }));

export function linkIn(text: string, part: string): string {
  const link = text.match(/https?:\/\/[^\s<>"')\]]+/g)?.find((url) => url.includes(part));
  if (!link) throw new Error(`No link with ${part} in: ${text}`);
  return link;
}
