import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

// docs/asvs.md compares each requirement of levels 1 and 2 with the code: what it claims must be true.

/** The number of requirements of these levels in each chapter of ASVS 5.0.0. */
const IN_CHAPTER = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];
const NUMBER = /\d+\.\d+\.\d+/g;

const text = readFileSync("docs/asvs.md", "utf8");
const rows = text.split("\n").flatMap((line) => {
  const [, number, how = "", where = ""] = /^\| (\d+\.\d+\.\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/.exec(line) ?? [];
  return number ? [{ number, how, where }] : [];
});

describe("docs/asvs.md", () => {
  test("has each number once, in order", () => {
    const numbers = rows.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a.localeCompare(b, "en", { numeric: true })));
    const counts = IN_CHAPTER.map((_, at) => numbers.filter((number) => number.startsWith(`${at + 1}.`)).length);
    expect(counts).toEqual(IN_CHAPTER);
  });

  test("says of each what is so", () => {
    expect(rows.filter(({ how }) => !["met", "not here", "differs"].includes(how))).toEqual([]);
    const points = [...readFileSync("docs/security.md", "utf8").matchAll(/^\| (S\d\d) /gm)].map(([, point]) => point);
    expect([...text.matchAll(/\bS\d\d\b/g)].map(String).filter((point) => !points.includes(point))).toEqual([]);
  });

  test("names files that are there", () => {
    const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?|[\w-]+\.(?:json|md|ts))`/g)].map(
      ([, file = ""]) => file,
    );
    const ours = named.filter((file) => !/^(?:DATA_DIR|api\.paystack)/.test(file));
    expect(ours.length).toBeGreaterThan(100);
    expect(ours.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("differs in what docs/security.md names, and in nothing else", () => {
    const [, list = ""] = readFileSync("docs/security.md", "utf8").split(/^## (?:Where it differs|Left undone)$/m);
    const told = list.split("\n").flatMap((line) => line.split("|")[1]?.match(NUMBER) ?? []);
    const differing = rows.filter(({ how }) => how === "differs").map(({ number }) => number);
    expect(told.sort()).toEqual(differing.sort());
  });
});
