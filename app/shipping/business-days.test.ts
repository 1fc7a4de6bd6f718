import { expect, test } from "vitest";
import { businessDaysAfter } from "./business-days.ts";

/** Counts business days one by one. */
function counted(day: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let [later, left] = [day, count];
  while (left > 0) {
    later = later.add({ days: 1 });
    if (later.dayOfWeek <= 5) left--;
  }
  return later;
}

test("business days are Monday to Friday, from every day of a week and over several weeks", () => {
  const monday = Temporal.PlainDate.from("2026-11-23");
  for (let day = 0; day < 7; day++)
    for (let count = 0; count <= 30; count++) {
      const from = monday.add({ days: day });
      expect([`${from}`, count, `${businessDaysAfter(from, count)}`]).toEqual([
        `${from}`,
        count,
        `${counted(from, count)}`,
      ]);
    }
});
