import Papa from "papaparse";
import { plainCell } from "./csv.ts";

/** `row` is the row's number in a spreadsheet: a cell of several lines makes one row, and empty rows count. */
export type Row = { row: number; cells: string[] };
export type Table = { rows: Row[]; faults: { row: number; what: string }[] };

const DELIMITERS = [",", ";", "\t"];
/** The line before a table by which Excel names the delimiter (`sep=;`); it is not a row of the table. */
const SEPARATOR = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i;
/** A text that is written as a formula, so that no spreadsheet takes it for a number: ="0061". */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

/** Reads a table that was saved, or copied from a spreadsheet; rows without a text are left out. */
export function readTable(text: string, delimitersToGuess = DELIMITERS): Table {
  const plain = text.replace(/^\uFEFF/, "");
  const [line = "", named] = SEPARATOR.exec(plain) ?? [];
  const table = plain.slice(line.length);
  // The guess skips empty rows, which would hide how many cells the other rows have.
  const guess = () => Papa.parse(table, { delimitersToGuess, skipEmptyLines: "greedy", preview: 10 }).meta.delimiter;
  const { data, errors } = Papa.parse<string[]>(table, { delimiter: named ?? guess() });
  const rows = data.map((cells, at) => ({ row: at + 1, cells: cells.map(cellText) }));
  return {
    rows: rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== "")),
    faults: errors
      .filter(({ type }) => type === "Quotes")
      .map(({ row = 0 }) => ({ row: row + 1, what: "a quotation mark is not closed, or stands inside a cell" })),
  };
}

/** The meant text of a cell, without the additions that keep spreadsheets from changing it. */
export function cellText(cell: string): string {
  const [, text] = TEXT_FORMULA.exec(cell) ?? [];
  return text === undefined ? plainCell(cell) : text.replaceAll('""', '"');
}

/** The name of a column as spreadsheets have it, counted from 0: A, B … Z, AA. */
export function columnName(at: number): string {
  return `${at >= 26 ? columnName(Math.floor(at / 26) - 1) : ""}${String.fromCharCode(65 + (at % 26))}`;
}
