import Papa from "papaparse";
import { describe, expect, test } from "vitest";
import { csvText, plainCell } from "./csv.ts";

const FORMULAS = [
  ['=HYPERLINK("http://evil.example","Open")', `'=HYPERLINK("http://evil.example","Open")`],
  ["=1+1\nand a second line", "'=1+1\nand a second line"],
  ["+2348031234567", "'+2348031234567"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1+1", "'\t'=1+1"],
  ["\r\n=1+1", "'\r\n'=1+1"],
  ["\n=1+1", "'\n'=1+1"],
  ["＝1+1", "'＝1+1"],
  ["'=1+1", "''=1+1"],
  ["Ada;=cmd|' /C calc'!A0;x", "Ada;'=cmd|' /C calc'!A0;x"],
  ["Ada; \t +1;-1", "Ada; \t '+1;'-1"],
  ["Ada;'=1", "Ada;''=1"],
  ["a line\r\n@SUM(A1)", "a line\r\n'@SUM(A1)"],
];

describe("a table to download", () => {
  test.each(FORMULAS)("has %j with a guard against formulas, and is read back unchanged", (text, guarded) => {
    for (const row of [{ title: text }, [text]]) {
      const cell =
        Papa.parse<string[]>(csvText({ fields: ["title"], data: [row] }), { delimiter: "," }).data[1]?.[0] ?? "";
      expect(cell).toBe(guarded);
      expect(plainCell(cell)).toBe(text);
    }
  });

  test.each([-5, 49.99, "Home Jersey", "'tis", "a = b", "S; M; L", ""])("leaves %j as it is", (value) => {
    const cell = Papa.parse<string[]>(csvText([{ value, end: "" }]), { delimiter: "," }).data[1]?.[0] ?? "";
    expect(plainCell(cell)).toBe(String(value));
  });
});
