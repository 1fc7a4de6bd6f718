import { expect, test } from "vitest";
import { inches } from "./guide.ts";
import { isPossible, readMeasure, readMeasures, textIn } from "./measure.ts";

test.each<[string, 1 | 2, number | undefined]>([
  ["96", 1, 96],
  [" 96.5 ", 1, 96.5],
  ["96,5", 1, 96.5],
  ["96.55", 1, undefined],
  ["38.25", 2, 38.25],
  ["", 1, undefined],
  ["-3", 1, undefined],
  ["1e2", 1, undefined],
  ["1000", 1, undefined],
  ["96 cm", 1, undefined],
  ["NaN", 1, undefined],
])("%j with at most %i decimals is read as %j", (text, decimals, value) => {
  expect(readMeasure(text, decimals)).toBe(value);
});

test.each([
  [96, "38.0"],
  [96.5, "38.0"],
  [97, "38.0"],
  [98, "38.5"],
  [1, "0.5"],
])("%d cm are %s inches, to the nearest half", (cm, text) => {
  expect(inches(cm)).toBe(text);
});

test("a measure stays as it was typed in its own unit, however often the other one is shown", () => {
  expect(textIn("in", { value: 38.25, unit: "in" })).toBe("38.25");
  expect(textIn("cm", { value: 38.25, unit: "in" })).toBe("97.2");
  expect(textIn("in", { value: 96, unit: "cm" })).toBe("37.8");
});

test("measures below a centimetre or above three metres are refused", () => {
  expect([0, 1, 300, 300.1].map((value) => isPossible({ value, unit: "cm" }))).toEqual([false, true, true, false]);
  expect(isPossible({ value: 119, unit: "in" })).toBe(false);
});

test.each([
  [null],
  ["{"],
  ["null"],
  ["5"],
  ['{"chest":96}'],
  ['{"chest":{"value":"96","unit":"cm"}}'],
  ['{"chest":{"value":96,"unit":"m"}}'],
  ['{"chest":{"value":1e9,"unit":"cm"}}'],
  ['{"chest":null}'],
])("an invalid stored value is ignored: %j", (json) => {
  expect([...readMeasures(json)]).toEqual([]);
});

test("stored measures are read, whatever their names", () => {
  const measure = { value: 96, unit: "cm" };
  expect([...readMeasures(JSON.stringify({ chest: measure, other: 1 }))]).toEqual([["chest", measure]]);
  expect([...readMeasures('{"__proto__":{"value":96,"unit":"cm"}}')]).toEqual([["__proto__", measure]]);
});
