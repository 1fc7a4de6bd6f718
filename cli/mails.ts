import { requeueMails } from "#app/infra/mail.server.ts";
import { badInput, type Command } from "./command.ts";

export const mails: Command = {
  usage: ["mails resend                    tries to send again what was given up after two days"],
  async run(db, [action]) {
    if (action !== "resend") return badInput("Say 'mails resend'");
    const resent = await db.transaction().execute(requeueMails);
    return { code: 0, data: { resent }, text: `${resent} mails are on their way again.` };
  },
};
