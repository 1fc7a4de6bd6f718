import { expect, test } from "vitest";
import { DETAILS } from "../product-fields.ts";
import { detailField } from "./fields.ts";

const read = (given: unknown, isNumber: boolean) => {
  const { data, error } = detailField({ label: "Weight", isNumber }, "too long").safeParse(given);
  return data ?? error?.issues.map(({ message }) => message).join();
};

test.each([
  [180, 180],
  ["1,180", 1180],
  [" 180 ", 180],
  [" ", ""],
  ["heavy", "'heavy' isn’t a whole number"],
  ["0", "'0' isn’t a whole number"],
  [-1, "'-1' isn’t a whole number"],
  [1.5, "'1.5' isn’t a whole number"],
])("a detail that is a number is read from %j as %j", (given, expected) => {
  expect(read(given, true)).toBe(expected);
});

test.each([
  [" Cotton ", "Cotton"],
  ["", ""],
  ["x".repeat(501), "too long"],
])("a detail that is a text is read from %j as %j", (given, expected) => {
  expect(read(given, false)).toBe(expected);
});

test.each([
  ["weightGrams", "30,001", "is more than 30000"],
  ["weightGrams", "230.00", 230],
  ["hsCode", "6109.10", "610910"],
  ["hsCode", 6109100010, "6109100010"],
  ["hsCode", "", ""],
  ["hsCode", "6109", "'6109' isn’t an HS code of 6 to 10 digits, like 6109.10"],
  ["originCountry", "ng", "NG"],
  ["originCountry", " Cote d'Ivoire ", "CI"],
  ["originCountry", "UK", "GB"],
  ["originCountry", "EU", "'EU' isn’t a country, like NG or Nigeria"],
  ["originCountry", "Aba", "'Aba' isn’t a country, like NG or Nigeria"],
] as const)("%s is read from %j as %j", (name, given, expected) => {
  const { data, error } = detailField(DETAILS[name], "too long").safeParse(given);
  expect(data ?? error?.issues.map(({ message }) => message).join()).toBe(expected);
});
