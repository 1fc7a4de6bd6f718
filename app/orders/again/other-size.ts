import { ONE_SIZE } from "#app/catalog/sizes.ts";
import type { OrderLine } from "#db/types.ts";
import { readChange } from "../size-change/plan.ts";
import { isSamePiece, quantityOf } from "../units.ts";
import type { OrderView } from "../view.ts";
import { linesOfSizes } from "./changes.ts";

type Returned = Pick<OrderView, "lines" | "returns">;

/**
 * The pieces of an order that came back for money, one line per size. Without exchanged pieces, whose other size is
 * sent anyway, and without products that have no sizes.
 */
export function linesSentBack({ lines, returns }: Returned): OrderLine[] {
  if (returns.length === 0) return [];
  const back = returns.flatMap(
    ({ state, wish, pieces, refunded }) => refunded ?? (state === "received" && wish === "money" ? pieces : []),
  );
  return linesOfSizes(lines)
    .map((line) => ({ ...line, quantity: quantityOf(line, back) }))
    .filter(({ size, quantity }) => size !== ONE_SIZE && quantity > 0);
}

/**
 * The pieces of one size that came back, as a line of the size chosen in the form (ID:SIZE:NEWSIZE). Empty if the
 * choice is about no such pieces.
 */
export function linesInSize(order: Returned, choice: string): OrderLine[] {
  const change = readChange(choice);
  if (!change || change.newSize === change.size) return [];
  return linesSentBack(order)
    .filter((line) => isSamePiece(line, change))
    .map((line) => ({ ...line, size: change.newSize }));
}
