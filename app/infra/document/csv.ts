import Papa, { type UnparseConfig } from "papaparse";

/**
 * Where a spreadsheet begins a cell, in some countries also after a semicolon, with what it would carry out; and what would else be taken for
 * guarded when it is read again.
 */
const FORMULA = /(?<=^|[;\t\r\n]\s*)(?='*[=+\-@＝＋－＠])|^(?='*[\t\r\n])/g;
const GUARDED = /(?<=^|[;\t\r\n]\s*)'(?='*[=+\-@＝＋－＠])|^'(?='*[\t\r\n])/g;

/** A table of what others have typed: what begins like a formula gets an apostrophe in front. */
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

/** A cell that is read, without the apostrophes that `csvText` has put there. */
export function plainCell(cell: string): string {
  return cell.replace(GUARDED, "");
}
