import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { titlesIn } from "./titles.ts";

// In docs/comparison.md each claim about this shop leads to a test or a document, each about another shop to a source.

const text = readFileSync("docs/comparison.md", "utf8");
const [tables = "", sources = ""] = text.split("## Sources\n");

const rows = tables
  .split("\n")
  .filter((line) => /^\| [^|]/.test(line))
  .map((line) => line.split(" | ").map((cell) => cell.replaceAll(/^\| | \|$/g, "")))
  .map(([name = "", ours = "", ...others]) => ({ name, ours, others }));

const LINK = /\[([^\]]+)\]\(((?!https?:)[^)#]+)[^)]*\)/g;

/** The links into the project, each with its words: those of a test are a number, or in quotes a part of its title. */
const places = [...text.matchAll(LINK)].map(([, words = "", target = ""]) => ({
  words,
  file: path.join("docs", target),
}));

describe("docs/comparison.md", () => {
  test("has rows and links", () => {
    expect(rows.length).toBeGreaterThan(14);
    expect(places.length).toBeGreaterThan(rows.length);
  });

  test.each(rows)("$name: each cell names what proves it", ({ ours, others }) => {
    expect(ours).toMatch(/\]\((?!https?:)/);
    expect(others.filter((cell) => cell !== "not known" && !/\[\d+\]/.test(cell))).toEqual([]);
  });

  test.each(places)("$words is in $file", ({ words, file }) => {
    expect(existsSync(file)).toBe(true);
    const title = /^[FS]\d\d$/.test(words) ? words : /^"(.+)"$/.exec(words)?.[1];
    if (title === undefined) return;
    const titles = titlesIn(file, readFileSync(file, "utf8"));
    expect(
      titles.some((one) => one.includes(title)),
      `${file} has no test that is called ${title}`,
    ).toBe(true);
  });

  test("each source has a number and an address, and a cell that needs it", () => {
    const listed = [...sources.matchAll(/^(\d+)\. .*<https:\/\//gm)].map(([, number]) => Number(number));
    expect(listed).toEqual(Array.from({ length: listed.length }, (_, at) => at + 1));
    const used = new Set([...tables.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)));
    expect([...used].sort((one, other) => one - other)).toEqual(listed);
  });
});
