import Papa, { type UnparseConfig } from "papaparse";

/** What a spreadsheet would carry out, also where more lines follow. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const GUARDED = /^'(?=[=+\-@\t\r\n＝＋－＠])/;

/** A table of what others have typed: a text that begins like a formula gets an apostrophe in front. */
export function csvText(rows: object[] | { fields: string[]; data: object[] }, config: UnparseConfig = {}): string {
  return Papa.unparse(rows, { ...config, escapeFormulae: FORMULA });
}

/** A cell that is read, without the apostrophe that `csvText` has put there. */
export function plainCell(cell: string): string {
  return cell.replace(GUARDED, "");
}
