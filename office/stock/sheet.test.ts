import { expect, test } from "vitest";
import { moved } from "./moves.ts";
import {
  type Cell,
  cellAt,
  cellStateOf,
  EMPTY,
  followed,
  keyOf,
  paste,
  piecesOf,
  readBlock,
  readNumber,
  redo,
  saved,
  type,
  undo,
} from "./sheet.ts";

const SIZES = ["S", "M", "L"];
const product = (id: string, sizes: Record<string, number>) => ({
  id,
  title: id,
  color: "",
  image: null,
  priceCents: 1,
  hidden: false,
  sizes: Object.entries(sizes).map(([size, onHand]) => ({ size, onHand, supplied: onHand + 10, held: 1 })),
});
const rows = [product("a", { S: 1, M: 2, L: 3 }), product("b", { S: 4, L: 6 })];
const at = (place: { row: number; col: number }) => cellAt(rows, SIZES, place);
const cell = (row: number, col: number): Cell => {
  const found = at({ row, col });
  if (!found) throw new Error("no such cell");
  return found;
};

test.each([
  ["12", 12],
  [" 1,200 ", 1200],
  ["12.0", 12],
  ["+5", 8],
  ["-2", 1],
  ["\u22122", 1],
  ["", undefined],
  ["-4", null],
  ["twelve", null],
  ["1.5", null],
  ["9999999", null],
])("'%s' typed into a cell with 3 pieces is %s", (text, number) => {
  expect(readNumber(text, 3)).toBe(number);
});

test("an edit stays until it is saved, undone or typed back, and can be redone", () => {
  const one = type(EMPTY, [{ cell: cell(0, 0), typed: 11 }]);
  const two = type(one, [
    { cell: cell(0, 1), typed: 12 },
    { cell: cell(1, 2), typed: 16 },
  ]);
  const keys = (sheet: typeof two) => [...sheet.edits.values()].map(({ key }) => key);
  expect(new Set(keys(two)).size, "a key for each time that something is typed").toBe(2);
  expect(keys(redo(undo(two)))).toEqual(keys(two));
  expect(two.edits.size).toBe(3);
  expect(piecesOf(two.edits)).toBe(30);
  expect(undo(two).edits).toEqual(one.edits);
  expect(redo(undo(two)).edits).toEqual(two.edits);
  expect(undo(undo(undo(two))).edits.size).toBe(0);
  expect(type(two, [{ cell: cell(0, 0), typed: 1 }]).edits.size, "as it was").toBe(2);
  const later = type(two, [{ cell: cell(0, 0), typed: 99 }]);
  expect([...saved(later, two.edits).edits.values()], "typed while it was saved").toMatchObject([{ typed: 99 }]);
});

test("a pasted block fills the cells from the selected one on, and texts without a cell are counted", () => {
  const block = readBlock('7\t8\r\nmany\t9\r\n"x"\t\r\n');
  const { typings, wrong, outside } = paste(block, { top: 0, left: 1, bottom: 0, right: 1 }, at);
  expect(typings.map(({ cell, typed }) => [keyOf(cell), typed])).toEqual([
    ["a M", 7],
    ["a L", 8],
    ["b L", 9],
  ]);
  expect([wrong, outside]).toEqual([[], 2]);
});

test("one pasted number fills all selected cells", () => {
  const { typings } = paste([["+2"]], { top: 0, left: 0, bottom: 1, right: 0 }, at);
  expect(typings.map(({ cell, typed }) => [keyOf(cell), typed])).toEqual([
    ["a S", 3],
    ["b S", 6],
  ]);
});

test("a sale lowers the typed number, another member's change is a conflict, and less than is reserved is marked", () => {
  const edit = { ...cell(0, 2), typed: 8, key: crypto.randomUUID() };
  expect(cellStateOf({ ...cell(0, 2), onHand: 2 }, edit)).toMatchObject({ value: 7, sold: 1, isChanged: false });
  expect(cellStateOf({ ...cell(0, 2), onHand: 5, supplied: 15 }, edit)).toMatchObject({ value: 8, isChanged: true });
  expect(cellStateOf(cell(0, 2), { ...edit, typed: 0 })).toMatchObject({ isBelow: true });
});

test("keys move from cell to cell, and never out of the grid", () => {
  const last = { row: 1, col: 2 };
  expect(moved({ row: 0, col: 2 }, "on", last)).toEqual({ row: 1, col: 0 });
  expect(moved({ row: 1, col: 0 }, "back", last)).toEqual({ row: 0, col: 2 });
  expect(moved(last, "on", last)).toEqual(last);
  expect(moved({ row: 0, col: 1 }, "page-down", last)).toEqual({ row: 1, col: 1 });
  expect(moved({ row: 1, col: 1 }, "up", last)).toEqual({ row: 0, col: 1 });
});

test.each([
  ["rows above it have gone", [2, 0], ["c"], [0, 0]],
  ["there is one more above it", [1, 2], ["new", "a", "b", "c"], [2, 2]],
  ["it has gone itself", [1, 0], ["a", "c"], undefined],
  ["there was none", [7, 0], ["a"], undefined],
])("a position follows its product, if there is one, when %s", (_, [row, col], now, place) => {
  const products = (ids: string[]) => ids.map((id) => product(id, {}));
  const found = followed({ row: row ?? 0, col: col ?? 0 }, products(["a", "b", "c"]), products(now));
  expect(found && [found.row, found.col]).toEqual(place);
});
