import { recordChange, SHOPPER } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { type NotChangeable, readChangeable } from "../address/own.server.ts";
import { lockOrder } from "../lifecycle.server.ts";
import { type NotChanged, readSizes, writeSizeChange } from "./change.server.ts";
import type { SizeChange } from "./plan.ts";

/** The sizes that the shopper may change now, as in `readSizes`, or the reason why none can be changed. */
export async function readSizeOffer(on: Db, userId: string, reference: string) {
  const sale = await readChangeable(on, userId, reference);
  return sale.ok ? { ok: true as const, ...(await readSizes(on, { ...sale, reference })) } : sale;
}

/**
 * Changes a size of a shopper's own order, in the same way as staff do, unless it is packed or cannot be changed for
 * another reason. `seen` is the number of changes when the form was shown. Safe to repeat.
 */
export async function changeOwnSize(
  on: Db,
  userId: string,
  reference: string,
  change: SizeChange,
  seen?: number,
): Promise<{ ok: true } | { ok: false; why: NotChangeable | NotChanged }> {
  const early = await readChangeable(on, userId, reference);
  if (!early.ok) return early; // without a lock on an order of another account
  return retryingTransaction(on, async (trx) => {
    const { order } = await lockOrder(trx, reference); // packing takes the same lock
    const sale = await readChangeable(trx, userId, reference);
    if (!sale.ok) return sale;
    const done = await writeSizeChange(trx, { order, saleId: sale.saleId, reference }, change, {
      byShopper: true,
      seen,
    });
    if (!done.ok) return done;
    const { state } = order;
    if (!done.isRepeat)
      await recordChange(trx, {
        by: SHOPPER,
        action: "orders change-size",
        subject: { kind: "order", id: reference },
        before: { state },
        after: { state, done: done.what },
      });
    return { ok: true };
  });
}
