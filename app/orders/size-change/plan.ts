import { inOrder } from "#app/catalog/sizes.ts";
import type { OrderLine } from "#db/types.ts";
import { bySize, returnablePieces, type SizeOnSale } from "../returns/rules.ts";
import { isSamePiece, quantityOf, type Units } from "../units.ts";

/** Pieces of one size of an order, and the size to send instead. */
export type SizeChange = Units & { newSize: string };
export type SizeFault = "too-many" | "not-there";

/**
 * The lines whose size can change, one per size, without the pieces in `back`, which are refunded or in a return. Each
 * has the other sizes of its product that are available.
 */
export function changeableLines<Line extends Units>(
  lines: readonly Line[],
  back: readonly Units[],
  stock: readonly SizeOnSale[],
): (Line & { sizes: SizeOnSale[] })[] {
  return returnablePieces(bySize(lines), back).flatMap((line) => {
    const others = stock.filter(
      ({ productId, size, available }) => productId === line.productId && size !== line.size && available > 0,
    );
    return line.quantity > 0 && others.length > 0 ? [{ ...line, sizes: inOrder(others) }] : [];
  });
}

/** Why a size cannot change so. `available`: how many pieces of the new size there are. Undefined if it can. */
export function sizeFault(
  lines: readonly OrderLine[],
  back: readonly Units[],
  change: SizeChange,
  available: number,
): SizeFault | undefined {
  if (change.quantity > quantityOf(change, returnablePieces(lines, back))) return "too-many";
  return change.newSize === change.size || available < change.quantity ? "not-there" : undefined;
}

/**
 * The lines of an order after a change, each at the price that was paid. The last pieces of the size change, and come
 * after those that have the new size already: refunds count a size's pieces from the first on.
 */
export function linesAfter(
  lines: readonly OrderLine[],
  { productId, size, quantity, newSize }: SizeChange,
): OrderLine[] {
  let left = quantity;
  const kept: OrderLine[] = [];
  const changed: OrderLine[] = [];
  for (const line of lines.toReversed()) {
    const taken = isSamePiece(line, { productId, size }) ? Math.min(left, line.quantity) : 0;
    left -= taken;
    if (taken > 0) changed.unshift({ ...line, size: newSize, quantity: taken });
    if (taken < line.quantity) kept.unshift({ ...line, quantity: line.quantity - taken });
  }
  const first = lines.findIndex((line) => line.productId === productId);
  return changed.reduce((all, line) => withLine(all, line, first), kept);
}

/** The lines with one more. `place`: its place if there is no other line of its product. */
function withLine(lines: readonly OrderLine[], line: OrderLine, place: number): OrderLine[] {
  const last = lines.findLastIndex((one) => isSamePiece(one, line));
  const same = lines[last];
  if (same && isAlike(same, line)) return lines.with(last, { ...same, quantity: same.quantity + line.quantity });
  const before = lines.findLastIndex(({ productId }) => productId === line.productId);
  return lines.toSpliced(before < 0 ? place : before + 1, 0, line);
}

/** Whether two lines differ at most in their quantity. Lines of one order have their fields in the same order. */
function isAlike(one: OrderLine, other: OrderLine): boolean {
  return JSON.stringify({ ...one, quantity: 0 }) === JSON.stringify({ ...other, quantity: 0 });
}

/** Reads what a form asks for: ID:SIZE:NEWSIZE, and the number of pieces. Undefined if nothing is chosen. */
export function readChange(choice = "", count = "1"): SizeChange | undefined {
  const [, productId, size, newSize] = /^([\w-]{1,100}):([A-Z]{1,3}):([A-Z]{1,3})$/.exec(choice) ?? [];
  if (!productId || !size || !newSize) return;
  // What is no number is more than an order has, and refused as such.
  const quantity = /^[1-9]\d{0,3}$/.test(count.trim()) ? Number(count) : Number.POSITIVE_INFINITY;
  return { productId, size, newSize, quantity };
}
