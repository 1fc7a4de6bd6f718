import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { resendMails } from "#app/owner/mails/mails.server.ts";
import { type Actions, action, badInput } from "./command.ts";

export const mails: Actions = {
  "mails resend": action({
    words: ["[email]"],
    options: { refused: true },
    says: "tries again what was given up after two days; --refused: also what servers refused in the last 7 days; EMAIL: all to one address",
    changes: true,
    async run({ db, by, words: { email }, options: { refused } }) {
      const to = normalizeEmail(email ?? "");
      if (email !== undefined && !isEmail(to)) return badInput(`'${email}' is no email address`);
      if (email !== undefined && refused) return badInput("Say either --refused or an address");
      const wanted = email !== undefined ? { to } : refused ? "refused" : "given-up";
      const { resent } = await resendMails(db, by, wanted);
      return { code: 0, data: { resent }, text: `${resent} mails are on their way again.` };
    },
  }),
};
