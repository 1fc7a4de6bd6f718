import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { send } from "#app/infra/mail.server.ts";
import { shopSettings } from "#app/infra/settings/shop-settings.server.ts";

const TEXT = "This mail was sent to see whether the shop's mails arrive. There’s nothing to do.";

/** `said` is the mail server's response. Undefined if there is no mail server and the mail is in the demo's mailbox. */
export type Tried = { ok: true; said: string | undefined } | { ok: false; said: string };

/** Sends a test mail to this address at once. */
export async function tryMail(on: Db, to: string): Promise<Tried> {
  const { contact } = await shopSettings(on);
  const letter = {
    to,
    replyTo: contact.email,
    subject: "A test mail of your shop",
    text: TEXT,
    html: `<p>${TEXT}</p>`,
    messageId: `<${crypto.randomUUID()}@${env.publicUrl.hostname}>`,
    date: new Date(),
  };
  return send(letter).then(
    (said) => ({ ok: true, said }),
    ({ response, message }: { response?: string; message: string }) => ({ ok: false, said: response ?? message }),
  );
}
