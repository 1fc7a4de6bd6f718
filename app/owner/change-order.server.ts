import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { lockKnownOrder } from "./known-order.server.ts";
import { actsOn } from "./orders/acts.server.ts";
import type { InTransaction } from "./orders.server.ts";

/**
 * Carries out a change of an order and writes it down, with the order before and after it, in one transaction. `seen`: the last thing that was known to have
 * been done to it; when somebody has done more since, nothing is changed, and the answer says what.
 */
export function changeOrder(on: Db, by: Actor, action: string, reference: string, seen?: string): InTransaction {
  return (work) =>
    retryingTransaction(on, async (trx) => {
      const before = await standOf(trx, reference);
      const since = seen === undefined ? [] : await actsOn(trx, reference, seen);
      if (since.length > 0) return { ok: false, problem: "Somebody else has changed this order meanwhile", since };
      const done = await work(trx);
      if (!done.ok || done.isRepeat) return done;
      const { recorded, ...said } = done;
      const after = { ...(await standOf(trx, reference)), ...recorded, done: done.what };
      await recordChange(trx, { by, action, subject: { kind: "order", id: reference }, before, after });
      return said;
    });
}

/** Locked as everywhere, so that it is what the change begins with; undefined for a reference that is no order's. */
async function standOf(trx: Transaction, reference: string) {
  const known = await lockKnownOrder(trx, reference);
  if (!known) return;
  const sale = await trx
    .selectFrom("sales")
    .select(["packedAt", "fulfilledAt", "carrier", "tracking", "readyAt", "deliveredAt", "returnedAt"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  return { state: known.order.state, ...sale };
}
