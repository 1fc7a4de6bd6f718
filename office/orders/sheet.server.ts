import { DAY } from "#app/infra/durations.ts";
import { plural } from "#app/infra/text/plural.ts";
import type { SentParcel, Sheet } from "#app/owner/orders/parcels/parcels.server.ts";
import type { Recent } from "../frame/progress.tsx";
import { longWorks } from "../http/long-work.server.ts";
import type { Marked } from "./many/take-back.server.ts";

/** The tasks that process sheets of parcels, kept for a day. */
export const sheetWorks = longWorks<SentParcel>({ for: DAY, most: 20 });

/** A member's sheets, newest first, with links to their pages. */
export function recentSheets(staffId: string): Recent[] {
  return sheetWorks.of(staffId).map(({ id, rows, done, all, isDone, failed, endedAt }) => {
    const wrong = rows.filter(({ ok }) => !ok).length;
    const ended = failed ? `Ended after ${done} of ${all} rows` : `${done - wrong} marked as sent`;
    const says = isDone ? ended : `Marking ${all} as sent: ${done} done`;
    return {
      to: `/orders/parcels/${id}`,
      says: wrong > 0 ? `${says}. Not marked: ${plural(wrong, "row")}` : says,
      tone: !isDone ? "going" : failed || wrong > 0 ? "person" : "done",
      endedAt,
    };
  });
}

/** The orders that a sheet has marked as sent. */
export function sentBy(rows: SentParcel[]): Marked {
  const numbers = rows.flatMap(({ ok, number }) => (ok && number ? [number] : []));
  return { numbers, command: "orders fulfil", as: "sent", isTold: true };
}

const LONGEST = 100_000;
/** A form may encode one character as nine bytes. */
export const SHEET_FORM = { bytes: 10 * LONGEST };

export function readSheet(form: FormData): Sheet {
  const text = (name: string) => String(form.get(name) ?? "").slice(0, LONGEST);
  const carrier = text("carrier").trim().slice(0, 100) || undefined;
  return { text: text("rows"), carrier, withoutNumber: form.get("withoutNumber") === "on" };
}
