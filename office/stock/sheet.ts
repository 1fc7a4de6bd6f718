import { MOST_IN_STOCK } from "#app/catalog/sizes.ts";
import type { StockEdit } from "#app/owner/catalog/stock-edit.ts";
import type { GridRow, GridSize } from "#app/owner/catalog/stock-grid.server.ts";

/** A size of a product as a cell shows it. */
export type Cell = GridSize & { id: string; title: string };
/** A cell as it was when something was typed into it. */
export type Edit = Cell & Pick<StockEdit, "typed" | "key">;
export type Edits = ReadonlyMap<string, Edit>;
/** What was typed and is not saved, and the steps before and after it. */
export type Sheet = { edits: Edits; past: readonly Edits[]; future: readonly Edits[] };
/** A new number for a cell; undefined takes what was typed back. */
export type Typing = { cell: Cell; typed: number | undefined };

export const EMPTY: Sheet = { edits: new Map(), past: [], future: [] };
const MOST_STEPS = 200;

export const keyOf = ({ id, size }: Pick<Cell, "id" | "size">) => `${id} ${size}`;

/** One step, which can be undone: many cells at once where a block was pasted. */
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

/** Without what has been saved; what was typed into a cell since then stays. The steps that led there are over. */
export function saved(sheet: Sheet, done: Edits): Sheet {
  return { edits: new Map([...sheet.edits].filter(([key, edit]) => done.get(key) !== edit)), past: [], future: [] };
}

export type Standing = {
  /** The number that would stand there. */
  value: number;
  edit?: Edit;
  /** Sold since it was typed: so many fewer than were typed would stand there. */
  sold: number;
  /** Somebody else has changed the stock since. */
  isChanged: boolean;
  /** Less than what is put aside. */
  isBelow: boolean;
};

/** What a cell shows of its number and of what was typed. */
export function standingOf(cell: Cell, edit: Edit | undefined): Standing {
  if (!edit) return { value: cell.onHand, sold: 0, isChanged: false, isBelow: false };
  const isChanged = edit.supplied !== cell.supplied;
  const sold = isChanged ? 0 : edit.onHand - cell.onHand;
  const value = edit.typed - sold;
  return { value, edit, sold, isChanged, isBelow: value < cell.held };
}

/**
 * The number that a text stands for: "12", "1,200", or "+5" and "-2" from what is there; undefined for an empty one, and null for what is no number of
 * pieces.
 */
export function readNumber(text: string, onHand: number): number | undefined | null {
  const plain = text.replace(/(?<=\d)[,\s](?=\d{3}\b)/g, "").trim();
  if (plain === "") return undefined;
  const [, sign, digits] = /^([+\u2212-]?)(\d{1,6})(?:\.0+)?$/.exec(plain) ?? [];
  if (digits === undefined) return null;
  const value = sign === "" ? Number(digits) : sign === "+" ? onHand + Number(digits) : onHand - Number(digits);
  return value < 0 || value > MOST_IN_STOCK ? null : value;
}

/** The rows and cells of what was copied from a sheet. */
export function readBlock(text: string): string[][] {
  return text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((row) => row.split("\t"));
}

export type Place = { row: number; col: number };
export type Range = { top: number; left: number; bottom: number; right: number };

export function rangeOf(a: Place, b: Place): Range {
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.col, b.col),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.col, b.col),
  };
}

export function isInside({ top, left, bottom, right }: Range, { row, col }: Place): boolean {
  return row >= top && row <= bottom && col >= left && col <= right;
}

/** All places of a range, row by row. */
export function placesIn({ top, left, bottom, right }: Range): Place[] {
  const cols = Array.from({ length: right - left + 1 }, (_, at) => left + at);
  return Array.from({ length: bottom - top + 1 }, (_, at) => top + at).flatMap((row) =>
    cols.map((col) => ({ row, col })),
  );
}

/** The cell at a place; undefined where the product has no such size. */
export function cellAt(rows: readonly GridRow[], sizes: readonly string[], { row, col }: Place): Cell | undefined {
  const product = rows[row];
  const size = product?.sizes.find((one) => one.size === sizes[col]);
  return product && size && { ...size, id: product.id, title: product.title };
}

/** Where the product of a place is after the rows have changed; undefined where it has gone. */
export function followed({ row, col }: Place, before: readonly GridRow[], now: readonly GridRow[]): Place | undefined {
  const at = now.findIndex(({ id }) => id === before[row]?.id);
  return at === -1 ? undefined : { row: at, col };
}

/**
 * What a block that is pasted at a range types: from its corner on, or a single number into all of it. `wrong` are the texts that are no numbers; `outside`
 * counts those for which there is no cell. An empty text leaves its cell alone.
 */
export function paste(
  block: readonly string[][],
  range: Range,
  at: (place: Place) => Cell | undefined,
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
      : placesIn(range).map((place) => ({ text: single, place }));
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

/** The pieces that are more, or fewer, than now. */
export function piecesOf(edits: Edits): number {
  return [...edits.values()].reduce((sum, { typed, onHand }) => sum + typed - onHand, 0);
}
