import { expect, test } from "vitest";
import { printable, printableJson } from "./terminal-text.ts";

const evil = "Ada\u001b[2J\u009b31m\u0007\r\u007f\u0000\tObi\n";

test("printed text has no control characters except line breaks and tabs", () => {
  expect(printable(evil)).toBe("Ada[2J31m\tObi\n");
});

test("printed JSON has none either, and the same values", () => {
  const json = printableJson(JSON.stringify({ name: evil }, null, 2));
  expect(printable(json)).toBe(json);
  expect(JSON.parse(json)).toEqual({ name: evil });
});
