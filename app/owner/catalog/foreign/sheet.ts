import { columnName, type Row } from "#app/infra/document/table.ts";
import type { Place } from "../table-row.ts";

/** A row of another shop's file, whose cells are read by field. */
export type Line<Field extends string> = {
  /** The cell's text without spaces around; empty for a missing column. */
  get(field: Field): string;
  at(field: Field): Place;
};
export type Sheet<Field extends string> = {
  lines: Line<Field>[];
  has(field: Field): boolean;
  /** The place of the names of the columns. */
  head: Place;
  /** The name of a column that is there twice. */
  twice?: string;
  /** The filled columns that no field is read from. */
  unread: string[];
};

export const columnKey = (name: string) => name.trim().toLowerCase();

/** `names`: the names of each field's column, in lower case. */
export function sheetOf<Field extends string>(
  [head = { row: 1, cells: [] }, ...below]: Row[],
  names: Record<Field, readonly string[]>,
): Sheet<Field> {
  const keys = head.cells.map(columnKey);
  const all = Object.values<readonly string[]>(names);
  const found = all.map((some) => keys.flatMap((key, at) => (some.includes(key) ? [at] : [])));
  const columns = new Map(Object.keys(names).map((field, at) => [field, found[at]?.[0]]));
  const second = found.find((ats) => ats.length > 1)?.[1];
  const read = new Set(found.flat());
  return {
    head: { row: head.row },
    has: (field) => columns.get(field) !== undefined,
    twice: second === undefined ? undefined : head.cells[second]?.trim(),
    unread: head.cells.flatMap((name, at) => {
      if (read.has(at) || below.every(({ cells }) => !cells[at]?.trim())) return [];
      return [name.trim() || `column ${columnName(at)}, which has no name`];
    }),
    lines: below.map(({ row, cells }) => ({
      get: (field) => cells[columns.get(field) ?? -1]?.trim() ?? "",
      at: (field) => {
        const at = columns.get(field);
        return at === undefined ? { row } : { row, column: head.cells[at]?.trim(), cell: `${columnName(at)}${row}` };
      },
    })),
  };
}
