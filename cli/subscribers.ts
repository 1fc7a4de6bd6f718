import { listSubscriptions } from "#app/newsletter/newsletter.server.ts";
import { badInput, type Command, csvOf } from "./command.ts";

export const subscribers: Command = {
  usage: ["subscribers export              who wants the newsletter: CSV, or JSON with --json"],
  async run(db, [action]) {
    if (action !== "export") return badInput("Say 'subscribers export'");
    const list = await listSubscriptions(db);
    return { code: 0, data: list, text: csvOf(list, ["firstName", "email", "createdAt"]) };
  },
};
