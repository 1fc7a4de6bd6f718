import type { Transaction } from "#app/infra/database/db.server.ts";
import { type LockedOrder, lockOrder } from "#app/orders/lifecycle.server.ts";

/** A payment and its order, locked as everywhere; undefined for a reference that is no payment's. */
export async function lockKnownOrder(trx: Transaction, reference: string): Promise<LockedOrder | undefined> {
  const known = await trx
    .selectFrom("payments")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst();
  return known && lockOrder(trx, reference);
}
