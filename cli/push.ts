import { normalizeEmail } from "#app/infra/email-address.ts";
import { type Tried, tryNotification } from "#app/staff/notifications/send.server.ts";
import { type Actions, action } from "./command.ts";

export const push: Actions = {
  "push try": action({
    words: ["email"],
    says: "sends a test notification to each device of a member of staff, and shows what its push service answered",
    changes: true,
    async run({ db, by, words: { email } }) {
      const whose = normalizeEmail(email);
      const tried = await tryNotification(db, by, whose);
      const none = `${whose} gets notifications on no device. Members switch them on in the office, under their name.`;
      const text = tried.map(lineOf).join("\n") || none;
      return { code: tried.every(({ ok }) => ok) ? 0 : 1, data: tried, text };
    },
  }),
};

function lineOf({ device, ok, answer, isGone }: Tried): string {
  if (ok) return `${device}: sent, ${answer}`;
  return `${device}: not sent, ${answer}${isGone ? ". The browser no longer takes them, so the device was removed" : ""}`;
}
