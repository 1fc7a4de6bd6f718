import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Excuse, judged } from "./excuses.ts";
import { SURVIVORS } from "./survivors.ts";

describe("a mutant that survives", () => {
  const excuses: Excuse[] = [
    ["a", "true", "why"],
    ["b", "true", "why", 2],
  ];
  const found = (...froms: string[]) => froms.map((from, index) => ({ line: index + 1, from, to: "true" }));

  test("is excused as often as it is listed, and another of the same text is not", () => {
    expect(judged(found("a", "b", "b"), excuses)).toEqual({ open: [], idle: [] });
    expect(judged(found("a", "a", "b", "b", "b"), excuses).open).toEqual([
      { line: 2, from: "a", to: "true" },
      { line: 5, from: "b", to: "true" },
    ]);
    expect(judged(found("a")).open).toHaveLength(1);
  });

  test("is named where it is listed and killed by now", () => {
    expect(judged(found("b"), excuses).idle).toEqual([
      { from: "a", to: "true", times: 1 },
      { from: "b", to: "true", times: 1 },
    ]);
  });
});

test.each(Object.entries(SURVIVORS))(
  "%s has the code of its listed survivors, as often as they are",
  (file, excuses) => {
    expect(existsSync(file)).toBe(true);
    const code = readFileSync(file, "utf8").replace(/\s+/g, " ");
    const missing = excuses.filter(([from, , , times = 1]) => code.split(from).length - 1 < times);
    expect(missing).toEqual([]);
  },
);
