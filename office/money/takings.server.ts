import { endOfDay, shopDay, startOfDay } from "#app/owner/shop-time.server.ts";

const USUAL_DAYS = 30;

export type Days = { from: string; to: string; start: Date; end: Date };

/** The first and last day in the URL, both included. Without valid days, those of the last month. */
export function daysOf(params: URLSearchParams): Days & { problem?: string } {
  const usual = { from: shopDay(USUAL_DAYS - 1), to: shopDay() };
  const [from, to] = [params.get("from") || usual.from, params.get("to") || usual.to];
  const [start, end] = [startOfDay(from), endOfDay(to)];
  if (start && end && start < end) return { from, to, start, end };
  const problem = start && end ? `${from} is after ${to}` : "Write a date like 2026-01-31";
  return { ...withMoments(usual), problem: `${problem}: these are the last ${USUAL_DAYS} days` };
}

function withMoments({ from, to }: { from: string; to: string }): Days {
  const [start, end] = [startOfDay(from), endOfDay(to)];
  if (!start || !end) throw new Error("A day of the calendar has no beginning or end");
  return { from, to, start, end };
}
