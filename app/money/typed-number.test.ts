import { expect, test } from "vitest";
import { rateText, readRate } from "./exchange-rate.ts";
import { readWhole } from "./typed-number.ts";

test.each([
  ["12", 12],
  ["1,250", 1250],
  ["1 250", 1250],
  ["1\u00a0250", 1250],
  ["1\u202f250,00", 1250],
  ["12 345 678", 12_345_678],
  ["1 25", undefined],
  ["1250 000", undefined],
  ["0 250", undefined],
  ["1  250", undefined],
  ["12.00", 12],
  ["12,00", 12],
  ["0", 0],
  ["0x10", undefined],
  ["1e3", undefined],
  ["12.5", undefined],
  ["1.250,00", undefined],
  ["-5", undefined],
  ["", undefined],
])("22 “%s” is the whole number %s", (text, number) => {
  expect(readWhole(text)).toBe(number);
});

test.each([
  ["1534.25", "1534.25"],
  ["1,534.25", "1534.25"],
  ["1534,25", "1534.25"],
  ["₦1,534.253", "1534.253"],
  ["1.534,25", undefined],
  ["0x600", undefined],
])("22 “%s” is a rate of %s", (text, shown) => {
  const rate = readRate(text);
  expect(rate && rateText(rate)).toBe(shown);
});
