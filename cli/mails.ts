import { foldEmail, isEmail } from "#app/account/email-address.ts";
import { requeueMails } from "#app/infra/mail.server.ts";
import { badInput, type Command } from "./command.ts";

export const mails: Command = {
  usage: [
    "mails resend                    tries to send again what was given up after two days",
    "mails resend --refused          also what servers refused in the last 7 days as going to no mailbox: 'check' names it",
    "mails resend EMAIL              everything to one address that has not gone out",
  ],
  async run(db, [action, which]) {
    const to = foldEmail(which ?? "");
    const isKnown = which === undefined || which === "--refused" || isEmail(to);
    if (action !== "resend" || !isKnown)
      return badInput("Say 'mails resend', 'mails resend --refused' or 'mails resend EMAIL'");
    const wanted = which === undefined ? "given-up" : which === "--refused" ? "refused" : { to };
    const resent = await db.transaction().execute((trx) => requeueMails(trx, wanted));
    return { code: 0, data: { resent }, text: `${resent} mails are on their way again.` };
  },
};
