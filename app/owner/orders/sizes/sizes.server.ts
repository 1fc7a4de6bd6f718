import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { emailedText, queueMail } from "#app/infra/mail.server.ts";
import { stageOf } from "#app/orders/fulfilment/progress.ts";
import { placeMail } from "#app/orders/mail-data.ts";
import { type NotChanged, readSizes, writeSizeChange } from "#app/orders/size-change/change.server.ts";
import type { SizeChange } from "#app/orders/size-change/plan.ts";
import { pickupCenter } from "#app/shipping/rates.server.ts";
import { lockKnownOrder } from "../lookup.server.ts";
import type { Done } from "../orders.server.ts";
import { lineToPack } from "../packing.server.ts";
import type { viewOrder } from "../view.server.ts";

/**
 * The sizes of an order that staff may change, as in `readSizes`, without sums. Undefined, without asking the database,
 * unless it is paid and not packed.
 */
export async function sizesToChange(on: Db, order: NonNullable<Awaited<ReturnType<typeof viewOrder>>>) {
  const { saleId, reference, state, trial, lines } = order;
  if (saleId === null || state !== "sold" || trial || stageOf(order) !== "paid") return;
  return readSizes(on, { saleId, reference, lines: lines.map(lineToPack) });
}

const NOT_CHANGED: Record<NotChanged, { problem: string; field?: string }> = {
  "too-many": { problem: "The order doesn’t have that many of this size", field: "quantity" },
  "not-there": { problem: "That many of the new size aren’t in stock", field: "change" },
  stale: { problem: "Another size of this order has changed meanwhile. Choose again", field: "change" },
};

/**
 * Changes a size of a sale that is not packed to another one of the same product, and tells the shopper by mail. The
 * paid sums do not change. `seen` is the number of changes when the form was shown. `another`: also if the newest
 * change is the same.
 */
export async function changeSaleSize(
  trx: Transaction,
  reference: string,
  change: SizeChange,
  { seen, another }: { seen?: number; another?: boolean },
): Promise<Done> {
  const known = await lockKnownOrder(trx, reference);
  const sale = await trx
    .selectFrom("sales")
    .select(["id", "packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  if (!known || !sale || known.order.state !== "sold")
    return { ok: false, problem: "Only a size of a paid order can be changed" };
  if (stageOf(sale) !== "paid") return { ok: false, problem: "It’s packed already" };
  const ordered = { order: known.order, saleId: sale.id, reference };
  const done = await writeSizeChange(trx, ordered, change, { byShopper: false, seen, another });
  if (!done.ok) return { ok: false, ...NOT_CHANGED[done.why] };
  const what = `${done.what}${emailedText(done.order.email)}`;
  if (done.isRepeat) return { ok: true, what, isRepeat: true };
  const center = await pickupCenter(trx, done.order.shipping.pickupCenter);
  const data = placeMail(done.order, reference, env, center);
  const key = `size:${sale.id}:${done.number}`;
  await queueMail(trx, { key, recipient: done.order.email, kind: "order-size", data });
  return { ok: true, what };
}
