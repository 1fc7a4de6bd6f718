import { listSubscriptions } from "#app/newsletter/newsletter.server.ts";
import { recordExport } from "#app/owner/audit.server.ts";
import { removeSubscriber } from "#app/owner/newsletter/newsletter.server.ts";
import { type Actions, action, badInput, csvOf } from "./command.ts";

export const subscribers: Actions = {
  "subscribers export": action({
    says: "exports newsletter subscribers: CSV, or JSON with --json",
    changes: true,
    async run({ db, by }) {
      const list = await listSubscriptions(db);
      await recordExport(db, by, { what: "subscribers", rows: list.length });
      return { code: 0, data: list, text: csvOf(list, ["firstName", "email", "createdAt"]) };
    },
  }),
  "subscribers remove": action({
    words: ["email"],
    says: "unsubscribes an address from the newsletter",
    changes: true,
    async run({ db, by, words: { email } }) {
      const removed = await removeSubscriber(db, by, email);
      if (!removed) return badInput(`'${email}' isn't subscribed`);
      return { code: 0, data: { removed: email }, text: `${email} is unsubscribed.` };
    },
  }),
};
