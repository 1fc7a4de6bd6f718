import type { Db } from "#app/infra/database/db.server.ts";
import { salesReport } from "./sales-report.server.ts";
import { endOfDay, shopDay, startOfDay } from "./shop-time.server.ts";

export const TAKINGS_SPANS = [7, 30, 90] as const;
export type TakingsSpan = (typeof TAKINGS_SPANS)[number];

/** The sales of a day in the shop's time zone (such as 2026-01-31), and of the day one span earlier. */
export type TakingsDay = {
  day: string;
  kobo: number;
  cents: number;
  orders: number;
  koboBefore: number;
  centsBefore: number;
};
export type Takings = { days: TakingsDay[] } & Record<(typeof SUMS)[number], number>;

const SUMS = ["kobo", "cents", "koboBefore", "centsBefore"] as const;

/** The days up to today, each with the day one span earlier. */
export async function takings(on: Db, span: TakingsSpan): Promise<Takings> {
  const dayAt = (daysAgo: number) => shopDay(daysAgo);
  const from = startOfDay(dayAt(2 * span - 1));
  const until = endOfDay(dayAt(0));
  if (!from || !until) throw new Error("A day of the calendar has no beginning or end");
  const sold = new Map((await salesReport(on, from, until)).map((row) => [row.day, row]));
  const days = Array.from({ length: span }, (_, at) => {
    const ago = span - 1 - at;
    const { kobo = 0, cents = 0, orders = 0 } = sold.get(dayAt(ago)) ?? {};
    const { kobo: koboBefore = 0, cents: centsBefore = 0 } = sold.get(dayAt(ago + span)) ?? {};
    return { day: dayAt(ago), kobo, cents, orders, koboBefore, centsBefore };
  });
  const sum = (name: (typeof SUMS)[number]) => days.reduce((all, day) => all + day[name], 0);
  return {
    days,
    kobo: sum("kobo"),
    cents: sum("cents"),
    koboBefore: sum("koboBefore"),
    centsBefore: sum("centsBefore"),
  };
}
