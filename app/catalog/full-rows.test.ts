import { describe, expect, test } from "vitest";
import { type Columns, PAGE, REST, type Shape, shapeOf } from "./full-rows.ts";

const COUNTS = Array.from({ length: 60 }, (_, index) => index + 1);
const shapes = (count: number, columns: Columns) =>
  Array.from({ length: count }, (_, index) => shapeOf(index, count, columns));

/**
 * Places cards like a CSS grid, each in the first row after the previous card that has room for it. Returns which cells
 * of each row are taken.
 */
function rowsOf(cards: Shape[], columns: number): boolean[][] {
  const rows: boolean[][] = [];
  const isFree = (row: number, column: number, width: number, height: number) =>
    column + width <= columns &&
    Array.from({ length: height }, (_, down) => rows[row + down] ?? []).every(
      (cells) => !cells.slice(column, column + width).some(Boolean),
    );
  let at = 0;
  for (const card of cards) {
    const [width, height] = card === "large" ? [2, 2] : [card === "wide" ? 2 : 1, 1];
    while (!isFree(Math.floor(at / columns), at % columns, width, height)) at++;
    for (let down = 0; down < height; down++) {
      const row = Math.floor(at / columns) + down;
      rows[row] ??= Array.from({ length: columns }, () => false);
      rows[row]?.fill(true, at % columns, (at % columns) + width);
    }
    at += width;
  }
  return rows;
}

describe.each<Columns>([2, 3, 4])("in %i columns", (columns) => {
  test("no row has a hole, whatever the number of cards", () => {
    const holes = COUNTS.filter((count) => count >= columns).filter((count) =>
      rowsOf(shapes(count, columns), columns).flat().includes(false),
    );
    expect(holes).toEqual([]);
  });

  test("loading more leaves the cards as they were", () => {
    for (const total of COUNTS) {
      const pages = Array.from({ length: Math.ceil(total / PAGE) }, (_, page) => (page + 1) * PAGE);
      const shown = pages.map((most) => (total > most + REST ? most : total));
      for (const [page, count] of shown.entries())
        expect(shapes(shown[page + 1] ?? count, columns).slice(0, count)).toEqual(shapes(count, columns));
    }
  });

  test("fewer cards than a row stand side by side", () => {
    for (let count = 2; count < columns; count++) expect(new Set(shapes(count, columns))).toEqual(new Set(["single"]));
  });
});

test("a list of full rows has no wide card", () => {
  for (const columns of [2, 3, 4] as const) expect(new Set(shapes(2 * PAGE, columns))).toEqual(new Set(["single"]));
});
