import { expect, test } from "vitest";
import { daysOfMonth } from "./takings.server.ts";

test.each([
  ["a month is compared with the month before", "2026-05", 31, "2026-04-01", undefined],
  ["a shorter month before, with as many of its days", "2026-02", 28, "2026-01-01", "2026-01-28"],
  ["the 31st with nothing where that has 30", "2026-07", 31, "2026-06-01", undefined],
  ["January with last December", "2026-01", 31, "2025-12-01", "2025-12-31"],
  ["this month, up to today", "2026-11", 28, "2026-10-01", "2026-10-28"],
])("%s", (_, month, count, firstBefore, lastBefore) => {
  const days = daysOfMonth(month, "2026-11-28");
  expect(days).toHaveLength(count);
  expect(days[0]).toEqual({ day: `${month}-01`, before: firstBefore });
  expect(days.at(-1)).toEqual({ day: `${month}-${count}`, before: lastBefore });
});
