import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { approximateNaira, parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { changedPrice, readPriceChange } from "./price-change.ts";

const RATE = parseRate("1600") as Rate;

describe("a normal price changes", () => {
  test.each<[string, number, Parameters<typeof changedPrice>[1], number]>([
    ["by a percentage", 4999, { tenths: 100, cents: 0, roundTo: 0 }, 5499],
    ["half a cent up", 4995, { tenths: 100, cents: 0, roundTo: 0 }, 5495],
    ["by less, too", 4999, { tenths: -75, cents: 0, roundTo: 0 }, 4624],
    ["by a sum", 4999, { tenths: 0, cents: -250, roundTo: 0 }, 4749],
    ["never below a cent", 199, { tenths: 0, cents: -250, roundTo: 0 }, 1],
    ["to round naira, ₦79,984 to ₦80,000", 4999, { tenths: 0, cents: 0, roundTo: 500 }, 5000],
    ["to the next round naira, ₦87,984 to ₦88,000", 4999, { tenths: 100, cents: 0, roundTo: 500 }, 5500],
    ["to round naira that are never none", 1, { tenths: 0, cents: 0, roundTo: 1000 }, 63],
  ])("%s", (_, price, change, after) => {
    expect(changedPrice(usdCents(price), change, RATE)).toBe(after);
  });

  test("to naira that are no farther from a round figure than a cent is worth", () => {
    const cases = fc.record({
      price: fc.integer({ min: 100, max: 200_000 }),
      roundTo: fc.constantFrom(100, 500, 1000),
      rate: fc.integer({ min: 100_000_000, max: 9_999_000_000 }).map((millionths) => BigInt(millionths) as Rate),
    });
    fc.assert(
      fc.property(cases, ({ price, roundTo, rate }) => {
        const naira = approximateNaira(changedPrice(usdCents(price), { tenths: 0, cents: 0, roundTo }, rate), rate);
        const off = Math.min(naira % roundTo, roundTo - (naira % roundTo));
        expect(off).toBeLessThanOrEqual(Number(rate) / 1e8 / 2 + 1);
      }),
      { seed: 20_261_128 },
    );
  });
});

test.each([
  ["+10%", "", { tenths: 100, cents: 0 }],
  ["−7.5", "", { tenths: -75, cents: 0 }],
  ["", "$2.50", { tenths: 0, cents: 250 }],
  ["5", "-1", { tenths: 50, cents: -100 }],
])("%j and %j are read as people type them", (percent, sum, change) => {
  expect(readPriceChange({ percent, sum })).toEqual({ change, problems: {} });
});

test.each([
  ["ten", "", "percent"],
  ["-91", "", "percent"],
  ["901", "", "percent"],
  ["", "₦500", "sum"],
  ["", "1.234", "sum"],
])("%j and %j are refused at their field", (percent, sum, field) => {
  expect(Object.keys(readPriceChange({ percent, sum }).problems)).toEqual([field]);
});
