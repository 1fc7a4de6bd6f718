import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

// docs/reliability.md and docs/security.md say which test holds which row: what they say must be so.

describe.each([
  ["docs/reliability.md", "F", 60],
  ["docs/security.md", "S", 66],
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
      expect(readFileSync(file, "utf8").includes(words), `${file} has no test of ${words}`).toBe(true);
    }
  });
});
