import { listSubscriptions } from "#app/newsletter/newsletter.server.ts";
import { type Actions, action, csvOf } from "./command.ts";

export const subscribers: Actions = {
  "subscribers export": action({
    says: "who wants the newsletter: CSV, or JSON with --json",
    changes: false,
    async run({ db }) {
      const list = await listSubscriptions(db);
      return { code: 0, data: list, text: csvOf(list, ["firstName", "email", "createdAt"]) };
    },
  }),
};
