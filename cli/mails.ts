import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import { retryMails } from "#app/owner/mails/mails.server.ts";
import { tryMail } from "#app/owner/mails/try.server.ts";
import { type Actions, action, badInput } from "./command.ts";

export const mails: Actions = {
  "mails try": action({
    words: ["address"],
    says: "sends a test email, and shows what the mail server answered",
    changes: false,
    async run({ db, words: { address } }) {
      const to = normalizeEmail(address);
      if (!isEmail(to)) return badInput(`'${address}' isn't an email address`);
      const { ok, said } = await tryMail(db, to);
      if (!ok) return { code: 1, data: { error: said }, text: `The email wasn't sent. The mail server says: ${said}` };
      const went = said === undefined ? `SMTP_URL isn't set, so the email is in ${env.dataDir}/outbox.` : undefined;
      return { code: 0, data: { said }, text: went ?? `The email was sent. The mail server says: ${said}` };
    },
  }),
  "mails resend": action({
    words: ["[email]"],
    options: { refused: true },
    says: "sends emails again that were given up after two days; --refused: also those that servers refused in the last 7 days; EMAIL: all to one address",
    changes: true,
    async run({ db, by, words: { email }, options: { refused } }) {
      const to = normalizeEmail(email ?? "");
      if (email !== undefined && !isEmail(to)) return badInput(`'${email}' isn't an email address`);
      if (email !== undefined && refused) return badInput("Give either --refused or an address");
      const wanted = email !== undefined ? { to } : refused ? "refused" : "given-up";
      const { resent } = await retryMails(db, by, wanted);
      return { code: 0, data: { resent }, text: `${resent} emails are being sent again.` };
    },
  }),
};
