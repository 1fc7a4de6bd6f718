/** A cell of a table: its row's number, its column's name, and its address in a spreadsheet, such as F7. */
export type Place = { row: number; column?: string; cell?: string };
/**
 * A row of a table as a product’s document, where `places` are the cells of its fields, if they have names of their
 * own. `uncounted`: the sizes whose stock is not known, which the document gives as 0. `otherId`: the id that the
 * product may have here already, in place of its own.
 */
export type TableRow = {
  row: number;
  document: Record<string, unknown>;
  places?: Record<string, Place>;
  uncounted?: string[];
  otherId?: string;
};
export type TableProblem = Place & { id?: string; reason: string };
