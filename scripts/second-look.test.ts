import { expect, test } from "vitest";
import { type FileResult, filesForASecondLook, type RunResult, type TestResult, verdict } from "./second-look.ts";

const passed = (name: string): TestResult => ({ name, state: "passed" });
const skipped = (name: string): TestResult => ({ name, state: "skipped" });
const failed = (name: string, message = "too late"): TestResult => ({ name, state: "failed", message });
const file = (tests: TestResult[], name = "tests/e2e/shop.test.ts", errors: string[] = []): FileResult => ({
  file: name,
  tests,
  errors,
});
const run = (files: FileResult[], errors: string[] = []): RunResult => ({ files, errors });

const FIRST = run([file([passed("opens"), failed("sells")]), file([passed("counts")], "app/money/money.test.ts")]);

test.each<[string, RunResult, string[]]>([
  ["a file with a red test is run again", FIRST, ["tests/e2e/shop.test.ts"]],
  ["nothing red, nothing again", run([file([passed("opens")])]), []],
  ["a failed hook", run([file([skipped("opens")], undefined, ["no shop"])]), ["tests/e2e/shop.test.ts"]],
  ["an error of no file is red at once", run(FIRST.files, ["thrown"]), []],
  ["payments", run([file([failed("settles")], "app/payments/settle.test.ts")]), []],
  ["orders", run([file([failed("sells")], "app/orders/returns/ask.test.ts")]), []],
  ["the cart", run([file([failed("adds")], "app/cart/merge.test.ts")]), []],
  ["the model", run([file([failed("a story")], "tests/chaos/model.test.ts")]), []],
  ["a house rule", run([file([failed("rooms")], "tests/house/rooms.test.ts")]), []],
  ["what measures time", run([file([failed("F17")], "tests/chaos/matrix.test.ts")]), ["tests/chaos/matrix.test.ts"]],
  ["six red files are red at once", run([..."abcdef"].map((name) => file([failed("one")], name))), []],
  ["five are not", run([..."abcde"].map((name) => file([failed("one")], name))), [..."abcde"]],
])("%s", (_, first, again) => {
  expect(filesForASecondLook([first])).toEqual([again]);
});

test.each<[string, RunResult, { passed: number; failed: number; red: number; unstable: number }]>([
  ["green at the second look", run([file([passed("opens"), passed("sells")])]), counts(3, 0, 1)],
  ["red again", run([file([passed("opens"), failed("sells")])]), counts(2, 1, 0)],
  ["another test is red", run([file([failed("opens"), passed("sells")])]), counts(2, 1, 0)],
  ["fewer tests", run([file([passed("opens")])]), counts(2, 1, 0)],
  ["tests that are skipped", run([file([passed("opens"), skipped("sells")])]), counts(2, 1, 0)],
  ["no tests", run([file([])]), counts(1, 1, 0)],
  ["a failed hook", run([file([skipped("opens"), skipped("sells")], undefined, ["no shop"])]), counts(1, 2, 0)],
  ["an error outside", run([file([passed("opens"), passed("sells")])], ["thrown"]), counts(3, 1, 1)],
  ["no second look", run([]), counts(2, 1, 0)],
])("%s", (_, second, expected) => {
  const { passed, failed, red, unstable } = verdict(FIRST, second);
  expect({ passed, failed, red: red.length, unstable: unstable.length }).toEqual(expected);
});

function counts(passed: number, failed: number, unstable: number) {
  return { passed, failed, red: failed, unstable };
}

test("what was unstable is told with what failed at first", () => {
  const second = run([file([passed("opens"), passed("sells")])]);
  expect(verdict(FIRST, second).unstable).toEqual([
    { file: "tests/e2e/shop.test.ts", name: "sells", message: "too late" },
  ]);
});

test("what is red again is told with what failed at first", () => {
  const { red, atFirst } = verdict(FIRST, run([file([failed("opens", "closed"), passed("sells")])]));
  expect(red).toMatchObject([{ name: "opens", message: "closed" }]);
  expect(atFirst).toMatchObject([{ name: "sells", message: "too late" }]);
});

test("a file that could not be loaded needs a second look with tests", () => {
  const first = run([file([], undefined, ["no such module"])]);
  expect(verdict(first, run([file([])])).failed).toBe(1);
  expect(verdict(first, run([file([passed("opens")])]))).toMatchObject({ passed: 1, failed: 0 });
});

test("red files of several runs count together, and each is run again as it was", () => {
  const firefox = run([file([failed("buys")], "purchase"), file([passed("opens")], "firefox")]);
  const chromium = run([file([passed("buys")], "purchase"), ...[..."abcd"].map((name) => file([failed("one")], name))]);
  expect(filesForASecondLook([chromium, firefox])).toEqual([[..."abcd"], ["purchase"]]);
  expect(filesForASecondLook([chromium, firefox, FIRST])).toEqual([[], [], []]);
});
