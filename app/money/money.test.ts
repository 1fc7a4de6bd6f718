import { expect, test } from "vitest";
import { FALLBACK_RATE, parseRate } from "./exchange-rate.ts";
import { formatApproximateNaira, formatKobo, formatNaira, formatPaid, formatRate, formatUsd } from "./format.ts";
import {
  addCents,
  centsFromDollars,
  dollars,
  dollarText,
  type Kobo,
  koboFromNaira,
  type Naira,
  timesCents,
  usdCents,
} from "./money.ts";

test.each([
  [0, "$0.00"],
  [5, "$0.05"],
  [4999, "$49.99"],
  [100_000, "$1,000.00"],
  [123_456_789, "$1,234,567.89"],
])("%i cents are shown as %s", (cents, shown) => {
  expect(formatUsd(usdCents(cents))).toBe(shown);
});

test("naira are shown whole and grouped, approximate ones marked", () => {
  expect(formatNaira(79_984 as Naira)).toBe("₦79,984");
  expect(formatApproximateNaira(79_984 as Naira)).toBe("≈ ₦79,984");
  expect(formatKobo(7_998_400 as Kobo)).toBe("₦79,984");
  expect(formatKobo(7_998_405 as Kobo)).toBe("₦79,984.05");
  expect(formatRate(FALLBACK_RATE)).toBe("₦1,600");
  expect(formatRate(parseRate("1534.25") ?? FALLBACK_RATE)).toBe("₦1,534.25");
});

test.each([
  ["NGN", "₦79,984.05"],
  ["GHS", "GHS 79984.05"],
])("a payment in %s is shown as %s", (currency, shown) => {
  expect(formatPaid(7_998_405, currency)).toBe(shown);
});

test.each([
  ["49.99", 4999],
  [49.99, 4999],
  ["49.9", 4990],
  ["49", 4900],
  ["1,250", 125_000],
  ["1,250.5", 125_050],
  ["12,345,678.90", 1_234_567_890],
  ["49,99", 4999],
  ["39,50", 3950],
  ["24,99", 2499],
  ["1,25", 125],
  ["1 250", 125_000],
  ["1 250,50", 125_050],
  ["$1 250.50", 125_050],
  ["$49.99", 4999],
  ["US$ 1,250", 125_000],
  ["49.99 USD", 4999],
  [" 7 ", 700],
])("%s dollars are %i cents", (text, cents) => {
  expect(centsFromDollars(text)).toBe(cents);
});

test.each(["", "free", "-1", "1.999", "1e3", "0x10", ".5", "1.", "99999999999", "₦31,200", "$", "$$5"])(
  "“%s” is no amount",
  (text) => {
    expect(centsFromDollars(text)).toBeUndefined();
  },
);

test.each([
  "49,9",
  "1,5",
  "1.250",
  "1 250,500",
  "1,250 000",
  "1.250,00",
  "12,34,567",
  "1234,567",
  "0,500",
  ",500",
  "1,,250",
  "1,250,",
  "0,500,00",
])("22 “%s” may mean another number: after a comma two digits are decimals and three are thousands", (text) => {
  expect(centsFromDollars(text)).toBeUndefined();
});

test.each([
  ["12,500", 12_500_00],
  ["12500.5", 12_500_50],
  [" 0 ", 0],
  ["₦31,200", 31_200_00],
  ["N31,200", 31_200_00],
  ["NGN 31,200.50", 31_200_50],
  ["12,50", 12_50],
  ["₦1,250.00", 1250_00],
  ["12 500", 12_500_00],
  ["₦ 12 500,50", 12_500_50],
  ["1.250", undefined],
  ["$500", undefined],
  ["", undefined],
])("“%s” naira are %s kobo", (text, sum) => {
  expect(koboFromNaira(text)).toBe(sum);
});

test("every price up to $1,000 is the same after conversion to dollars and back", () => {
  for (let cents = 0; cents <= 100_000; cents++) expect(centsFromDollars(dollars(usdCents(cents)))).toBe(cents);
});

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("%d is no amount of cents", (value) => {
  expect(() => usdCents(value)).toThrow(new RangeError(`${value} is no whole number of US cents`));
});

test("sums are whole numbers", () => {
  expect(addCents(usdCents(4999), usdCents(1))).toBe(5000);
  expect(timesCents(usdCents(4999), 3)).toBe(14_997);
  expect(() => timesCents(usdCents(4999), 0.5)).toThrow(new RangeError("0.5 is no whole number of quantity"));
  expect(dollarText(usdCents(5))).toBe("0.05");
});
