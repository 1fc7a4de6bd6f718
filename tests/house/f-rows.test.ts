import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// docs/reliability.md says which test holds which failure: what it says must be so.

type Row = { number: string; heldBy: string };
const rows: Row[] = readFileSync("docs/reliability.md", "utf8")
  .split("\n")
  .map((line) => /^\| (F\d\d) \| [^|]+ \| ([^|]+) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, number = "", heldBy = ""]) => ({ number, heldBy }));

test("every failure from F01 to F60 has its row", () => {
  expect(rows.map(({ number }) => number)).toEqual(
    Array.from({ length: 60 }, (_, index) => `F${String(index + 1).padStart(2, "0")}`),
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
