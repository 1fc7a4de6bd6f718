import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./sources.ts";
import { texts, textsOf } from "./texts.ts";

/** The words on the left of the table in docs/words.md. */
const unwanted = readFileSync(path.join(ROOT, "docs/words.md"), "utf8")
  .split("\n")
  .flatMap((line) => /^\| ([a-z].*?) \| /.exec(line)?.[1]?.split(", ") ?? []);

const pattern = new RegExp(`\\b(${unwanted.join("|")})\\b`, "i");

test("38 no text has a word that docs/words.md rules out", () => {
  expect(unwanted).toContain("look again");
  expect(
    texts.filter(({ text }) => pattern.test(text)).map(({ file, line, text }) => `${file}:${line} ${text}`),
  ).toEqual([]);
});

test("38 the texts are found in pages, messages, templates and attributes, and nothing else is", () => {
  const text = `
    import { a } from "not a text at all";
    throw new Error("said to a programmer");
    export const one = "Check it again.";
    export const two = (n: number) => \`Only \${n} left\`;
    const three = sql\`select the rows from a table\`;
    export const Four = () => <p className="flex gap-2" title="A title here">Read by people {one}</p>;
    export const Five = () => <Leading dollars="Prices in dollars." actions={<a href="/a b">Stay here</a>} />;
  `;
  const found = textsOf({ file: "page.tsx", text, imports: [] });
  expect(found.map((one) => one.text)).toEqual([
    "Check it again.",
    "Only … left",
    "A title here",
    "Read by people",
    "Prices in dollars.",
    "Stay here",
  ]);
});
