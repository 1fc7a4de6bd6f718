import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { titlesIn } from "./titles.ts";

// docs/reliability.md and docs/security.md say which test covers which row: their claims must be true.

test("a test is called by its title, by those around it, and by the cases of its table; a comment is none", () => {
  const text = `
    // F01
    const cases = [["F02 a", 1]];
    describe("F03", () => {
      test.each(cases)("%s", () => "F04");
      test.skipIf(x)(\`F05 \${y}\`, () => undefined);
      it.each([{ name: "F06" }] as const)("$name", () => expect("F07"));
      const guards = { "F08 b": () => "F09" };
      test.each(Object.entries(guards))("%s", () => undefined);
    });`;
  expect(titlesIn("a.test.ts", text)).toEqual(
    expect.arrayContaining(["F02 a", "F03", "F05 ", "F06", "$name", "F08 b"]),
  );
  expect(titlesIn("a.test.ts", text).join()).not.toMatch(/F0[1479]/);
});

describe.each([
  ["docs/reliability.md", "F", 69],
  ["docs/security.md", "S", 76],
])("%s", (document, letter, last) => {
  type Row = { number: string; heldBy: string };
  const shape = new RegExp(`^\\| (${letter}\\d\\d) \\| [^|]+ \\| ([^|]+) \\|$`);
  const rows: Row[] = readFileSync(document, "utf8")
    .split("\n")
    .map((line) => shape.exec(line))
    .filter((match) => match !== null)
    .map(([, number = "", heldBy = ""]) => ({ number, heldBy }));

  test("every number has its row", () => {
    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: last }, (_, index) => `${letter}${String(index + 1).padStart(2, "0")}`),
    );
  });

  test.each(rows)("$number is held by what its row names", ({ number, heldBy }) => {
    if (/^none( yet)?: /.test(heldBy)) return;
    const places = [...heldBy.matchAll(/([\w/.-]+\.test\.tsx?)(?: "([^"]+)")?/g)];
    expect(places.length).toBeGreaterThan(0);
    for (const [, file = "", words = number] of places) {
      expect(existsSync(file), file).toBe(true);
      const titles = titlesIn(file, readFileSync(file, "utf8"));
      expect(
        titles.some((title) => title.includes(words)),
        `${file} has no test that is called ${words}`,
      ).toBe(true);
    }
  });
});
