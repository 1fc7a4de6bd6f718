import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import { csvText, plainCell } from "./csv.ts";

const FORMULAS = [
  '=HYPERLINK("http://evil.example","Open")',
  "=1+1\nand a second line",
  "+2348031234567",
  "-2+3",
  "@SUM(A1)",
  "\t=1+1",
  "\r\n=1+1",
  "\n=1+1",
  "＝1+1",
];

describe("a table to download", () => {
  test.each(FORMULAS)("has an apostrophe before %j, and is read as it was", (text) => {
    const cell = Papa.parse<string[]>(csvText({ fields: ["title"], data: [{ title: text }] })).data[1]?.[0] ?? "";
    expect(cell).toBe(`'${text}`);
    expect(plainCell(cell)).toBe(text);
  });

  test.each([-5, 49.99, "Home Jersey", "'tis", "a = b", ""])("leaves %j as it is", (value) => {
    const cell = Papa.parse<string[]>(csvText([{ value, end: "" }])).data[1]?.[0] ?? "";
    expect(plainCell(cell)).toBe(String(value));
  });
});
