import { expect, test } from "vitest";
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
