import type { Db } from "#app/infra/database/db.server.ts";
import { salesReport } from "./sales-report.server.ts";
import { endOfDay, shopDay, startOfDay } from "./shop-time.server.ts";

export const TAKINGS_SPANS = [7, 30, 90] as const;
export type TakingsSpan = (typeof TAKINGS_SPANS)[number];

/** The number of months to choose from, including the current one. */
const MONTHS = 12;

/** The months whose takings can be seen, such as 2026-01, the current one first. */
export function takingsMonths(): string[] {
  const first = Temporal.PlainDate.from(shopDay()).with({ day: 1 });
  return Array.from({ length: MONTHS }, (_, ago) => first.subtract({ months: ago }).toString().slice(0, 7));
}

/** The sales of a day in the shop's time zone (such as 2026-01-31), and of the day one span or month earlier. */
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

/** A day, and the day that it is compared with. */
type Compared = { day: string; before?: string };

/** The last days up to today, each with the day one span earlier. */
function lastDays(span: number): Compared[] {
  return Array.from({ length: span }, (_, at) => {
    const ago = span - 1 - at;
    return { day: shopDay(ago), before: shopDay(ago + span) };
  });
}

/**
 * The days of a month up to today, each with the same day of the month before. Where that month is shorter, the last
 * days are compared with nothing.
 */
export function daysOfMonth(month: string, today = shopDay()): Compared[] {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const earlier = first.subtract({ months: 1 });
  const days = Array.from({ length: first.daysInMonth }, (_, at) => ({
    day: first.add({ days: at }).toString(),
    before: at < earlier.daysInMonth ? earlier.add({ days: at }).toString() : undefined,
  }));
  return days.filter(({ day }) => day <= today);
}

/** The takings of the last days, or of a month from `takingsMonths`. */
export async function takings(on: Db, period: TakingsSpan | string): Promise<Takings> {
  const compared = typeof period === "number" ? lastDays(period) : daysOfMonth(period);
  const from = startOfDay(compared[0]?.before ?? "");
  const until = endOfDay(compared.at(-1)?.day ?? "");
  if (!from || !until) throw new Error("A day of the calendar has no beginning or end");
  const sold = new Map((await salesReport(on, from, until)).map((row) => [row.day, row]));
  const days = compared.map(({ day, before = "" }) => {
    const { kobo = 0, cents = 0, orders = 0 } = sold.get(day) ?? {};
    const { kobo: koboBefore = 0, cents: centsBefore = 0 } = sold.get(before) ?? {};
    return { day, kobo, cents, orders, koboBefore, centsBefore };
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
