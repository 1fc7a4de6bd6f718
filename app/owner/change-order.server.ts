import { lockOrder } from "#app/checkout/attempt.server.ts";
import type { InTransaction } from "#app/checkout/owner-orders.server.ts";
import { type Db, type Transaction, transact } from "#app/infra/db.server.ts";
import { type Actor, recordChange } from "./audit.server.ts";

/** Carries out a change of an order and writes it down, with the order before and after it, in one transaction. */
export function changeOrder(on: Db, by: Actor, action: string, reference: string): InTransaction {
  return (work) =>
    transact(on, async (trx) => {
      const before = await standOf(trx, reference);
      const done = await work(trx);
      if (!done?.ok) return done;
      const after = { ...(await standOf(trx, reference)), done: done.what };
      await recordChange(trx, { by, action, subject: { kind: "order", id: reference }, before, after });
      return done;
    });
}

/** Locked as everywhere, so that it is what the change begins with; undefined for a reference that is no order's. */
async function standOf(trx: Transaction, reference: string) {
  const known = await trx
    .selectFrom("payments")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst();
  if (!known) return;
  const { attempt } = await lockOrder(trx, reference);
  const sale = await trx
    .selectFrom("sales")
    .select(["fulfilledAt", "carrier", "tracking"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  return { state: attempt.state, ...sale };
}
