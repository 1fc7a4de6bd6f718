import { expect, test } from "vitest";
import { sources } from "./sources.ts";

const WIDEST = 120;
const COMMENT = /^\s*(?:\/\/|\/?\*)/;

test("a comment is read without scrolling: at most 120 columns", () => {
  const wide = sources.flatMap(({ file, text }) =>
    text
      .split("\n")
      .map((line, at) => ({ line, place: `${file}:${at + 1}` }))
      .filter(({ line }) => line.length > WIDEST && COMMENT.test(line) && !line.includes("biome-ignore"))
      .map(({ place }) => place),
  );
  expect(wide).toEqual([]);
});
