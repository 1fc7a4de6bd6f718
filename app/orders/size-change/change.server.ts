import { sql } from "kysely";
import { pieceText, sizeName } from "#app/catalog/sizes.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import type { Order } from "../lifecycle.server.ts";
import { exchangeSold, lockSizes, sizesOf } from "../reservation.server.ts";
import { piecesBack } from "../returns/rows.server.ts";
import type { Units } from "../units.ts";
import { changeableLines, linesAfter, type SizeChange, type SizeFault, sizeFault } from "./plan.ts";

/** "stale": another size has changed since the form was shown. */
export type NotChanged = SizeFault | "stale";
/** `order`: with the lines after the change. `number`: counts the changes of the sale. */
export type SizeChanged =
  | { ok: true; what: string; order: Order; number: number; isRepeat?: true }
  | { ok: false; why: NotChanged };

/**
 * The lines of a sale whose size can change now, each with the other sizes that are available, and the number of
 * changes so far.
 */
export async function readSizes<Line extends Units>(
  on: Db | Transaction,
  { saleId, reference, lines }: { saleId: string; reference: string; lines: readonly Line[] },
) {
  const stock = await sizesOf(on, lines);
  const changed = await changesOf(on, saleId);
  return { lines: changeableLines(lines, await piecesBack(on, reference), stock), changes: changed.length };
}

/**
 * Sends another size of a product, for some pieces of a sale whose order the caller has locked: the new size counts as
 * sold, the former one is in stock again. The sale's own lines stay. `seen` is the number of changes that the form has
 * been shown with: a form that is sent twice is one change. Without `seen`, the same change as the newest one is a
 * repetition, unless `another` is asked for.
 */
export async function writeSizeChange(
  trx: Transaction,
  { order, saleId, reference }: { order: Order; saleId: string; reference: string },
  change: SizeChange,
  { byShopper, seen, another = false }: { byShopper: boolean; seen?: number; another?: boolean },
): Promise<SizeChanged> {
  const changes = await changesOf(trx, saleId);
  const what = changeWords(order, change);
  const isRepeat = (row?: Row) => row?.byShopper === byShopper && isSameChange(row, change);
  const before = seen ?? (!another && isRepeat(changes.at(-1)) ? changes.length - 1 : changes.length);
  if (before !== changes.length) {
    if (!isRepeat(changes[before])) return { ok: false, why: "stale" };
    return { ok: true, what, order, number: before + 1, isRepeat: true };
  }
  const { newSize, ...former } = change;
  const other = { ...former, size: newSize };
  const back = await piecesBack(trx, reference);
  const available = await lockSizes(trx, [former, other]); // both in one statement, to keep the fixed lock order
  const fault = sizeFault(order.lines, back, change, available(other));
  if (fault) return { ok: false, why: fault };
  await exchangeSold(trx, former, other);
  const lines = linesAfter(order.lines, change);
  await trx
    .updateTable("orders")
    .set({ lines: JSON.stringify(lines), updatedAt: sql`now()` })
    .where("id", "=", order.id)
    .execute();
  const { productId, size: fromSize, quantity } = former;
  const number = changes.length + 1;
  await trx
    .insertInto("sizeChanges")
    .values({ saleId, number, productId, fromSize, toSize: newSize, quantity, byShopper })
    .execute();
  return { ok: true, what, order: { ...order, lines }, number };
}

type Row = { productId: string; fromSize: string; toSize: string; quantity: number; byShopper: boolean };

function changesOf(on: Db | Transaction, saleId: string) {
  return on
    .selectFrom("sizeChanges")
    .select(["productId", "fromSize", "toSize", "quantity", "byShopper"])
    .where("saleId", "=", saleId)
    .orderBy("number")
    .execute();
}

function isSameChange({ productId, fromSize, toSize, quantity }: Row, change: SizeChange): boolean {
  const { size, newSize } = change;
  return productId === change.productId && fromSize === size && toSize === newSize && quantity === change.quantity;
}

/** What the audit log says of a change: "size changed from M to L, 2 × Home Jersey, Palm Green". */
function changeWords({ lines }: Order, { productId, size, newSize, quantity }: SizeChange): string {
  const line = lines.find((one) => one.productId === productId);
  const piece = pieceText({ title: line?.title ?? productId, color: line?.color });
  return `size changed from ${sizeName(size)} to ${sizeName(newSize)}, ${quantity} × ${piece}`;
}
