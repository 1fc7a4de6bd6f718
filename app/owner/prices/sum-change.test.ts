import { describe, expect, test } from "vitest";
import { FALLBACK_RATE, type Rate } from "#app/money/exchange-rate.ts";
import { changedCents, type NairaStep, readSumChange } from "./sum-change.ts";

describe("a change of sums is read as people write it", () => {
  test.each([
    ["+10%", { percent: 1000, kobo: 0 }],
    ["10 %", { percent: 1000, kobo: 0 }],
    ["-5%", { percent: -500, kobo: 0 }],
    ["−7.5%", { percent: -750, kobo: 0 }],
    ["+12,25%", { percent: 1225, kobo: 0 }],
    ["0%", { percent: 0, kobo: 0 }],
    ["500", { percent: 0, kobo: 500_00 }],
    ["+₦1,250.00", { percent: 0, kobo: 1250_00 }],
    ["- 1 250", { percent: 0, kobo: -1250_00 }],
  ])("“%s”", (text, change) => {
    expect(readSumChange(text)).toEqual(change);
  });

  test.each(["", "+", "%", "ten", "$5", "+-5", "5%%", "1.250", "1e3%", `${"9".repeat(400)}%`])(
    "“%s” is no change",
    (text) => {
      expect(readSumChange(text)).toBeUndefined();
    },
  );
});

const FIFTEEN_HUNDRED = 1_500_000_000n as Rate;

test.each<[string, cents: number, change: string, step: NairaStep, rate: Rate, then: number]>([
  ["a percentage more", 350, "+10%", 0, FALLBACK_RATE, 385],
  ["a percentage less", 350, "-5%", 0, FALLBACK_RATE, 333], // 332.5
  ["naira more", 350, "+800", 0, FALLBACK_RATE, 400],
  ["naira less", 350, "-800", 0, FALLBACK_RATE, 300],
  ["a sum that is no whole cent", 350, "+20", 0, FALLBACK_RATE, 351], // 351.25
  ["rounded to ₦50", 350, "+10%", 50, FALLBACK_RATE, 384], // ₦6,160, ₦6,150, 384.375
  ["rounded to ₦100", 350, "+10%", 100, FALLBACK_RATE, 388], // ₦6,200, 387.5
  ["rounded to ₦500", 350, "+10%", 500, FALLBACK_RATE, 375], // ₦6,000
  ["half a step is rounded up", 50, "0", 500, FIFTEEN_HUNDRED, 67], // ₦750, ₦1,000
  ["a rate on a step stays", 350, "0%", 100, FALLBACK_RATE, 350],
  ["less than half a step is free", 15, "0%", 500, FALLBACK_RATE, 0],
  ["a decrease by the whole rate", 350, "-5,600", 0, FALLBACK_RATE, 0],
  ["a price by a percentage to ₦500", 4999, "+10%", 500, FALLBACK_RATE, 5500], // ₦87,982, ₦88,000
  ["a price to round naira alone", 4999, "0%", 500, FALLBACK_RATE, 5000],
  ["free delivery stays free", 0, "+500", 100, FALLBACK_RATE, 0],
])("%s: %i cents", (_, cents, text, step, rate, then) => {
  expect(changedCents(cents, readSumChange(text) ?? { percent: 0, kobo: 0 }, step, rate)).toBe(then);
});

test.each(["-5,601", "-101%"])("%s is more than the whole rate", (text) => {
  expect(changedCents(350, readSumChange(text) ?? { percent: 0, kobo: 0 }, 100, FALLBACK_RATE)).toBeLessThan(0);
});

test("a sum that is rounded to a step stays the same if it is rounded to that step again", () => {
  const none = { percent: 0, kobo: 0 };
  for (let cents = 1; cents < 2000; cents++) {
    const once = changedCents(cents, none, 50, FIFTEEN_HUNDRED);
    expect(changedCents(once, none, 50, FIFTEEN_HUNDRED)).toBe(once);
  }
});
