import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Status, shopStatus } from "#app/owner/status.server.ts";
import { type Actions, action } from "./command.ts";

export const status: Actions = {
  status: action({
    says: "what waits for you, on one screen",
    changes: false,
    async run({ db }) {
      const status = await shopStatus(db);
      return { code: 0, data: status, text: describe(status) };
    },
  }),
};

function describe({ toSend, toLookInto, returns, mails, rate, lastBackup }: Status): string {
  const since = (time: Date | null, none: string) => (time ? `${shopTimeWithZone(time)} (${age(time)} ago)` : none);
  const lines = [
    ["orders to send", toSend.orders ? `${toSend.orders}, the oldest of ${since(toSend.oldest, "")}` : "none"],
    ["payments to look into", toLookInto.payments ? `${toLookInto.payments}: 'check' names them` : "none"],
    ["returns to answer", returns.asked ? `${returns.asked}: 'returns list asked' names them` : "none"],
    [
      "returns to end",
      returns.toEnd + returns.overdue
        ? `${returns.toEnd}${returns.overdue ? `, and ${returns.overdue} late: 'returns list --overdue' names them` : ""}`
        : "none",
    ],
    ["mails given up", mails.givenUp ? `${mails.givenUp}: 'mails resend' tries them again` : "none"],
    ["mails to no mailbox", mails.refused ? `${mails.refused} in the last 7 days: 'check' names them` : "none"],
    [
      "exchange rate",
      `1 USD = ${rate.rate} NGN, ${rate.since ? `since ${since(rate.since, "")}` : "the fixed one: none is set"}`,
    ],
    ["last backup", since(lastBackup, "none is known")],
  ];
  return lines.map(([name = "", value]) => `${name.padEnd(22)} ${value}`).join("\n");
}

function age(time: Date): string {
  const minutes = Math.max(0, Math.floor((Date.now() - time.getTime()) / 60_000));
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / (24 * 60))} days`;
}
