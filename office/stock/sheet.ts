import { MOST_IN_STOCK } from "#app/catalog/sizes.ts";
import type { StockEdit } from "#app/owner/catalog/stock-edit.ts";
import type { GridRow, GridSize } from "#app/owner/catalog/stock-grid.server.ts";

/** A size of a product, as shown in a cell. */
export type Cell = GridSize & { id: string; title: string };
/** A typed number, with the cell's state at the time of typing. */
export type Edit = Cell & Pick<StockEdit, "typed" | "key">;
export type Edits = ReadonlyMap<string, Edit>;
/** The unsaved edits, and the steps for undo and redo. */
export type Sheet = { edits: Edits; past: readonly Edits[]; future: readonly Edits[] };
/** A new number for a cell. Undefined removes the edit. */
export type Typing = { cell: Cell; typed: number | undefined };

export const EMPTY: Sheet = { edits: new Map(), past: [], future: [] };
const MOST_STEPS = 200;

export const keyOf = ({ id, size }: Pick<Cell, "id" | "size">) => `${id} ${size}`;

/** Applies edits as one step of undo. A pasted block changes many cells in one step. */
export function type(sheet: Sheet, typings: readonly Typing[], key: string = crypto.randomUUID()): Sheet {
  const edits = new Map(sheet.edits);
  for (const { cell, typed } of typings) {
    if (typed === undefined || typed === cell.onHand) edits.delete(keyOf(cell));
    else edits.set(keyOf(cell), { ...cell, typed, key });
  }
  const isSame = edits.size === sheet.edits.size && [...edits].every(([key, edit]) => sheet.edits.get(key) === edit);
  return isSame ? sheet : { edits, past: [...sheet.past, sheet.edits].slice(-MOST_STEPS), future: [] };
}

export function undo({ edits, past, future }: Sheet): Sheet {
  const last = past.at(-1);
  return last ? { edits: last, past: past.slice(0, -1), future: [edits, ...future] } : { edits, past, future };
}

export function redo({ edits, past, future }: Sheet): Sheet {
  const [next, ...rest] = future;
  return next ? { edits: next, past: [...past, edits], future: rest } : { edits, past, future };
}

/**
 * The sheet without the saved edits. Cells that were edited again since then stay. The steps for undo and redo are
 * dropped.
 */
export function saved(sheet: Sheet, done: Edits): Sheet {
  return { edits: new Map([...sheet.edits].filter(([key, edit]) => done.get(key) !== edit)), past: [], future: [] };
}

export type CellState = {
  /** The number that the cell would have after saving. */
  value: number;
  edit?: Edit;
  /** The units sold since the edit. They are subtracted from the typed number. */
  sold: number;
  /** Another member has changed the stock since the edit. */
  isChanged: boolean;
  /** The number is lower than the number of reserved units. */
  isBelow: boolean;
};

/** The state of a cell with its edit. */
export function cellStateOf(cell: Cell, edit: Edit | undefined): CellState {
  if (!edit) return { value: cell.onHand, sold: 0, isChanged: false, isBelow: false };
  const isChanged = edit.supplied !== cell.supplied;
  const sold = isChanged ? 0 : edit.onHand - cell.onHand;
  const value = edit.typed - sold;
  return { value, edit, sold, isChanged, isBelow: value < cell.held };
}

/**
 * Parses a typed number: "12", "1,200", or "+5" and "-2" relative to `onHand`. Undefined for an empty text, null if it
 * is not a valid number of pieces.
 */
export function readNumber(text: string, onHand: number): number | undefined | null {
  const plain = text.replace(/(?<=\d)[,\s](?=\d{3}\b)/g, "").trim();
  if (plain === "") return undefined;
  const [, sign, digits] = /^([+\u2212-]?)(\d{1,6})(?:\.0+)?$/.exec(plain) ?? [];
  if (digits === undefined) return null;
  const value = sign === "" ? Number(digits) : sign === "+" ? onHand + Number(digits) : onHand - Number(digits);
  return value < 0 || value > MOST_IN_STOCK ? null : value;
}

/** The rows and cells of a block copied from a spreadsheet. */
export function readBlock(text: string): string[][] {
  return text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((row) => row.split("\t"));
}

export type CellPosition = { row: number; col: number };
export type Range = { top: number; left: number; bottom: number; right: number };

export function rangeOf(a: CellPosition, b: CellPosition): Range {
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.col, b.col),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.col, b.col),
  };
}

export function isInside({ top, left, bottom, right }: Range, { row, col }: CellPosition): boolean {
  return row >= top && row <= bottom && col >= left && col <= right;
}

/** All places of a range, row by row. */
export function positionsIn({ top, left, bottom, right }: Range): CellPosition[] {
  const cols = Array.from({ length: right - left + 1 }, (_, at) => left + at);
  return Array.from({ length: bottom - top + 1 }, (_, at) => top + at).flatMap((row) =>
    cols.map((col) => ({ row, col })),
  );
}

/** The cell at a place. Undefined if the product does not have this size. */
export function cellAt(
  rows: readonly GridRow[],
  sizes: readonly string[],
  { row, col }: CellPosition,
): Cell | undefined {
  const product = rows[row];
  const size = product?.sizes.find((one) => one.size === sizes[col]);
  return product && size && { ...size, id: product.id, title: product.title };
}

/**
 * The new place of the same product and size after the rows have changed. Undefined if the product has left the list.
 */
export function followed(
  { row, col }: CellPosition,
  before: readonly GridRow[],
  now: readonly GridRow[],
): CellPosition | undefined {
  const at = now.findIndex(({ id }) => id === before[row]?.id);
  return at === -1 ? undefined : { row: at, col };
}

/**
 * The edits of pasting a block into a range: starting at its top left cell, or a single number into every cell. `wrong`
 * lists texts that are not numbers; `outside` is the number of texts without a cell. An empty text leaves its cell
 * unchanged.
 */
export function paste(
  block: readonly string[][],
  range: Range,
  at: (place: CellPosition) => Cell | undefined,
): { typings: Typing[]; wrong: string[]; outside: number } {
  const typings: Typing[] = [];
  const wrong: string[] = [];
  let outside = 0;
  const single = block.length === 1 && block[0]?.length === 1 ? block[0][0] : undefined;
  const texts =
    single === undefined
      ? block.flatMap((row, down) =>
          row.map((text, right) => ({ text, place: { row: range.top + down, col: range.left + right } })),
        )
      : positionsIn(range).map((place) => ({ text: single, place }));
  for (const { text, place } of texts) {
    if (text.trim() === "") continue;
    const cell = at(place);
    const typed = cell && readNumber(text, cell.onHand);
    if (!cell) outside++;
    else if (typed === null) wrong.push(text.trim());
    else typings.push({ cell, typed });
  }
  return { typings, wrong, outside };
}

/** The net number of pieces that the edits add, negative if they remove pieces. */
export function piecesOf(edits: Edits): number {
  return [...edits.values()].reduce((sum, { typed, onHand }) => sum + typed - onHand, 0);
}
