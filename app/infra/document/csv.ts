import Papa, { type UnparseConfig } from "papaparse";

/**
 * The places that get an apostrophe: where a spreadsheet would read the start of a cell as a formula (in some countries
 * a cell also begins after a semicolon), and before an apostrophe that the text itself has in such a place, because
 * `plainCell` removes one.
 */
const FORMULA = /(?<=^|[;\t\r\n]\s*)(?='*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/g;
const GUARDED = /(?<=^|[;\t\r\n]\s*)'(?='*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/g;

/** The CSV text of values typed by other people. A value that begins like a formula gets an apostrophe in front. */
export function csvText(rows: object[] | { fields: string[]; data: object[] }, config: UnparseConfig = {}): string {
  return Papa.unparse(Array.isArray(rows) ? rows.map(guarded) : { ...rows, data: rows.data.map(guarded) }, config);
}

function guarded(row: object): object {
  const cells = Object.entries(row).map(([name, cell]) => [
    name,
    typeof cell === "string" ? cell.replace(FORMULA, "'") : cell,
  ]);
  return Array.isArray(row) ? cells.map(([, cell]) => cell) : Object.fromEntries(cells);
}

/** The byte order mark that begins a CSV file: without it Excel takes UTF-8 for the encoding of Windows. */
export const SPREADSHEET_MARK = "\uFEFF";

/** The text of a cell without the apostrophes that `csvText` has added. */
export function plainCell(cell: string): string {
  return cell.replace(GUARDED, "");
}
