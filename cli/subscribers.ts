import { recordChange } from "#app/infra/audit.server.ts";
import { retryingTransaction } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { listSubscriptions, unsubscribe } from "#app/newsletter/newsletter.server.ts";
import { type Actions, action, badInput, csvOf } from "./command.ts";

export const subscribers: Actions = {
  "subscribers export": action({
    says: "who wants the newsletter: CSV, or JSON with --json",
    changes: false,
    async run({ db }) {
      const list = await listSubscriptions(db);
      return { code: 0, data: list, text: csvOf(list, ["firstName", "email", "createdAt"]) };
    },
  }),
  "subscribers remove": action({
    words: ["email"],
    says: "takes an address off the newsletter's list",
    changes: true,
    async run({ db, by, words: { email } }) {
      const removed = await retryingTransaction(db, async (trx) => {
        const id = await unsubscribe(trx, normalizeEmail(email));
        if (id) await recordChange(trx, { by, action: "subscribers remove", subject: { kind: "subscriber", id } });
        return id !== undefined;
      });
      if (!removed) return badInput(`Nobody has subscribed with '${email}'`);
      return { code: 0, data: { removed: email }, text: `${email} gets no newsletter any more.` };
    },
  }),
};
