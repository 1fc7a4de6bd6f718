import type { CellPosition } from "./sheet.ts";

/** The direction in which a key moves. "on" and "back" continue in the next or previous row, like Tab. */
export type Direction =
  | "up"
  | "down"
  | "left"
  | "right"
  | "on"
  | "back"
  | "top"
  | "bottom"
  | "row-start"
  | "row-end"
  | "first"
  | "last"
  | "page-up"
  | "page-down";

const PAGE = 10;

export function moved({ row, col }: CellPosition, direction: Direction, last: CellPosition): CellPosition {
  const down = (by: number) => ({ row: Math.max(0, Math.min(last.row, row + by)), col });
  const flat = (by: number) => {
    const width = last.col + 1;
    const to = Math.max(0, Math.min(width * (last.row + 1) - 1, row * width + col + by));
    return { row: Math.floor(to / width), col: to % width };
  };
  const places: Record<Direction, CellPosition> = {
    up: down(-1),
    down: down(1),
    left: { row, col: Math.max(0, col - 1) },
    right: { row, col: Math.min(last.col, col + 1) },
    on: flat(1),
    back: flat(-1),
    top: { row: 0, col },
    bottom: { row: last.row, col },
    "row-start": { row, col: 0 },
    "row-end": { row, col: last.col },
    first: { row: 0, col: 0 },
    last,
    "page-up": down(-PAGE),
    "page-down": down(PAGE),
  };
  return places[direction];
}
