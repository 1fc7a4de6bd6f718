import { DAY } from "#app/infra/durations.ts";
import type { SentParcel, Sheet } from "#app/owner/orders/parcels.server.ts";
import type { Recent } from "../frame/progress.tsx";
import { longWorks } from "../http/long-work.server.ts";

/** The sheets that are being carried out, or were in the last day. */
export const sheetWorks = longWorks<SentParcel>({ for: DAY, most: 20 });

/** Those of a member, the newest first, each with the way to its page. */
export function recentSheets(staffId: string): Recent[] {
  return sheetWorks.of(staffId).map(({ id, rows, done, all, isDone, failed, endedAt }) => {
    const wrong = rows.filter(({ ok }) => !ok).length;
    const ended = failed ? `Ended after ${done} of ${all} rows` : `${done - wrong} marked as sent`;
    const says = isDone ? ended : `Marking ${all} as sent: ${done} done`;
    return {
      to: `/orders/parcels/${id}`,
      says: wrong > 0 ? `${says}. Not marked: ${wrong} ${wrong === 1 ? "row" : "rows"}` : says,
      tone: !isDone ? "going" : failed || wrong > 0 ? "person" : "done",
      endedAt,
    };
  });
}

const LONGEST = 100_000;

export function readSheet(form: FormData): Sheet {
  const text = (name: string) => String(form.get(name) ?? "").slice(0, LONGEST);
  return { text: text("rows"), carrier: text("carrier").trim().slice(0, 100) || undefined };
}
