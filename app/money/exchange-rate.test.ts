import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SEED } from "#tests/support/seed.ts";
import {
  approximateNaira,
  chargeInKobo,
  dollarsOfKobo,
  FALLBACK_RATE,
  isPlausible,
  parseRate,
  type Rate,
  rateText,
} from "./exchange-rate.ts";
import { usdCents } from "./money.ts";

const rate = (text: string) => parseRate(text) as Rate;

test.each([
  ["1600", "1600"],
  ["1534.25", "1534.25"],
  ["1534.250000", "1534.25"],
  ["0.000001", "0.000001"],
  ["1534.2500000000", "1534.25"],
  ["1600.0000000", "1600"],
  ["100", "100"],
  ["15000000", "15000000"],
  ["99999999.999999", "99999999.999999"],
  [" 1600 ", "1600"],
])("the rate %s is read exactly", (text, shown) => {
  expect(rateText(rate(text))).toBe(shown);
});

test.each([
  "1500000000",
  "160000000000",
  "123456789",
  "1600.",
  ".5",
  "0.0000001",
  "",
  "0",
  "-1",
  "1e3",
  "NaN",
  "Infinity",
  "1,600",
  "1.2345678",
  "sixteen hundred",
])("“%s” is not read as a rate", (text) => {
  expect(parseRate(text)).toBeUndefined();
});

describe("naira", () => {
  test.each([
    ["a price of the catalogue", 4999, "1600", 79_984, 7_998_400],
    ["a whole dollar", 100, "1600", 1600, 160_000],
    ["a cent", 1, "1600", 16, 1600],
    ["$1.10, for which floating-point numbers charge a naira too much", 110, "1600", 1760, 176_000],
    ["just below half a naira is shown lower and charged higher", 1, "1649.999999", 16, 1700],
    ["half a naira is shown and charged higher", 1, "1650", 17, 1700],
    ["a whole naira stays whole", 1, "1700", 17, 1700],
    ["nothing", 0, "1534.25", 0, 0],
    ["a rate below one", 100, "0.5", 1, 100],
  ])("%s", (_, cents, text, shown, charged) => {
    expect(approximateNaira(usdCents(cents), rate(text))).toBe(shown);
    expect(chargeInKobo(usdCents(cents), rate(text))).toBe(charged);
  });

  test("the charge is the smallest whole naira that covers the sum, for any sum and rate", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000_00 }),
        fc.bigInt({ min: 1n, max: 10_000_000_000n }),
        (cents, millionths) => {
          const charged = BigInt(chargeInKobo(usdCents(cents), millionths as Rate)) / 100n;
          const exact = BigInt(cents) * millionths; // in 1/100,000,000 naira
          expect(charged * 100_000_000n).toBeGreaterThanOrEqual(exact);
          expect((charged - 1n) * 100_000_000n).toBeLessThan(exact || 1n);
        },
      ),
      { seed: SEED },
    );
  });
});

test.each([
  ["a whole dollar", 160_000, "1600", 100],
  ["just below half a cent", 799, "1600", 0],
  ["half a cent", 800, "1600", 1],
  ["a sum of money", 7_998_400, "1534.25", 5213],
])("%s in kobo is shown in whole cents, rounded half up", (_, sum, text, cents) => {
  expect(dollarsOfKobo(sum, rate(text))).toBe(cents);
});

test.each([
  ["no rate before", "1600", undefined, true],
  ["a little up", "1700", "1600", true],
  ["25% up", "2000", "1600", true],
  ["more than 25% up", "2000.01", "1600", false],
  ["25% down", "1200", "1600", true],
  ["more than 25% down", "1199.99", "1600", false],
])("a fetched rate with %s", (_, fetched, last, plausible) => {
  expect(isPlausible(rate(fetched), last === undefined ? undefined : rate(last))).toBe(plausible);
});

test("without a stored rate a dollar is 1600 naira", () => {
  expect(rateText(FALLBACK_RATE)).toBe("1600");
});
