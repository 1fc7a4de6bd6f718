import { describe, expect, test } from "vitest";
import { fileText } from "./file-text.ts";
import { readTable } from "./table.ts";

const TEXT = "id,title\ncafe,Adé’s Café €";
const CP1252 = Buffer.from(TEXT.replace("’", "\x92").replace("€", "\x80"), "latin1");
const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();

describe("22 a file's bytes", () => {
  test.each<[string, Buffer]>([
    ["UTF-8", Buffer.from(TEXT)],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${TEXT}`)],
    ["UTF-16 with a mark", Buffer.from(`\uFEFF${TEXT}`, "utf16le")],
    ["UTF-16 without one", Buffer.from(TEXT, "utf16le")],
    ["UTF-16 in the other order of bytes", swapped(`\uFEFF${TEXT}`)],
    ["the same without a mark", swapped(TEXT)],
    ["Windows-1252", CP1252],
  ])("in %s are decoded", (_, bytes) => {
    expect(fileText(bytes)).toEqual({ text: TEXT });
  });

  test.each([
    ["PK\x03\x04\x14\0", "is a workbook: in the spreadsheet save it as CSV"],
    ["\xd0\xcf\x11\xe0\xa1\xb1", "is a workbook"],
    ["%PDF-1.7\n\0\0", "is no text"],
  ])("that are no text (%j) are refused with advice", (start, says) => {
    expect(fileText(Buffer.from(start, "latin1"))).toEqual({ problem: expect.stringContaining(says) });
  });

  test("of an empty file are an empty text", () => {
    expect(fileText(Buffer.alloc(0))).toEqual({ text: "" });
  });
});

describe("22 a table", () => {
  test.each([",", ";", "\t"])("with %j between its cells", (sign) => {
    expect(readTable(["a", "b"].join(sign)).rows).toEqual([{ row: 1, cells: ["a", "b"] }]);
  });

  test.each(["sep=|\r\n", '"sep=|"\n', "SEP=|\r"])("whose first line names the separator (%j)", (line) => {
    expect(readTable(`\uFEFF${line}a,1|b;2`).rows).toEqual([{ row: 1, cells: ["a,1", "b;2"] }]);
  });

  test("numbers its rows as a spreadsheet does, and leaves out empty ones", () => {
    const { rows } = readTable('a,"two\nlines"\n\n , \nb,c');
    expect(rows.map(({ row }) => row)).toEqual([1, 4]);
  });

  test.each([
    ['="0061"', "0061"],
    ['"=""0061"""', "0061"],
    ["'=1+1", "=1+1"],
    ['=1+"1"', '=1+"1"'],
    ["'tis", "'tis"],
  ])("reads the cell %s as %s", (cell, text) => {
    expect(readTable(`a,${cell}`).rows[0]?.cells[1]).toBe(text);
  });

  test("has its separator recognized among empty rows", () => {
    expect(readTable("\r\n\r\n\r\na;b\r\n\r\nc;d\r\n\r\n").rows).toEqual([
      { row: 4, cells: ["a", "b"] },
      { row: 6, cells: ["c", "d"] },
    ]);
  });

  test("says where a quotation mark is not closed", () => {
    expect(readTable('a,b\nc,"d').faults).toMatchObject([{ row: 2 }]);
  });
});
