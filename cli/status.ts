import { env } from "#app/infra/env.server.ts";
import { VERSION } from "#app/infra/settings/version.server.ts";
import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import { type Status, shopStatus } from "#app/owner/status.server.ts";
import { type Actions, action } from "./command.ts";

export const status: Actions = {
  status: action({
    says: "shows what's waiting for you, on one screen",
    changes: false,
    async run({ db }) {
      const status = await shopStatus(db);
      return { code: 0, data: { version: VERSION, ...status }, text: describe(status) };
    },
  }),
};

function describe({
  toSend,
  toLookInto,
  returns,
  toGive,
  lockedLinks,
  mails,
  openQueues,
  rate,
  lastBackup,
}: Status): string {
  const since = (time: Date | null, none: string) => (time ? `${shopTimeWithZone(time)} (${age(time)} ago)` : none);
  const lines = [
    ["version", VERSION],
    ["orders to send", toSend.orders ? `${toSend.orders}, the oldest of ${since(toSend.oldest, "")}` : "none"],
    ["payments to check", toLookInto.payments ? `${toLookInto.payments}: 'check' lists them` : "none"],
    ["returns to answer", returns.asked ? `${returns.asked}: 'returns list asked' lists them` : "none"],
    [
      "returns to complete",
      returns.toEnd + returns.overdue
        ? `${returns.toEnd}${returns.overdue ? `, and ${returns.overdue} late: 'returns list --overdue' lists them` : ""}`
        : "none",
    ],
    ...(toGive.orders
      ? [
          [
            "to give back by hand",
            `${toGive.orders}, ${toGive.overdue} late, the oldest of ${since(toGive.oldest, "")}: ${toGive.first.join(", ")}`,
          ],
        ]
      : []),
    ...(lockedLinks.length > 0
      ? [
          [
            "handover links locked",
            `${lockedLinks.length}: ${lockedLinks.join(", ")}. 'orders handover' makes a new one`,
          ],
        ]
      : []),
    ...(openQueues.length > 0
      ? [
          [
            "queues still open",
            `${openQueues.map(({ productId, opensAt }) => `${productId} since ${since(opensAt, "")}`).join(", ")}: 'queue off' ends one`,
          ],
        ]
      : []),
    [
      "emails waiting",
      mails.waiting.count
        ? `${mails.waiting.count}, the oldest since ${since(mails.waiting.since, "")}; the mail server says: ${mails.waiting.error ?? "nothing yet"}`
        : "none",
    ],
    ["emails given up", mails.givenUp ? `${mails.givenUp}: 'mails resend' sends them again` : "none"],
    ["emails to no mailbox", mails.refused ? `${mails.refused} in the last 7 days: 'check' lists them` : "none"],
    [
      "exchange rate",
      `1 USD = ${rate.rate} NGN, ${rate.since ? `since ${since(rate.since, "")}` : "built in: none has been set"}`,
    ],
    ...(rate.fault ? [["  WRONG", `${rate.fault}: see 'check'`]] : []),
    ["last backup", since(lastBackup, env.BACKUPS === "elsewhere" ? "made elsewhere" : "none known")],
  ];
  return lines.map(([name = "", value]) => `${name.padEnd(22)} ${value}`).join("\n");
}

function age(time: Date): string {
  const minutes = Math.max(0, Math.floor((Date.now() - time.getTime()) / 60_000));
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} hours` : `${Math.floor(minutes / (24 * 60))} days`;
}
