import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { NEWEST_REFERENCE } from "#app/orders/history.server.ts";
import { type LockedOrder, lockOrder } from "#app/orders/lifecycle.server.ts";

/** The reference of the order with this number: that of its sale, otherwise of its newest payment. */
export async function referenceOf(on: Db, number: string): Promise<string | undefined> {
  const order = await on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .select(NEWEST_REFERENCE.as("reference"))
    .where("orders.number", "=", number)
    .executeTakeFirst();
  return order?.reference;
}

/** Whether two references belong to payments of the same order. */
export async function isSameOrder(on: Db, reference: string, other: string): Promise<boolean> {
  const found = await on
    .selectFrom("payments as one")
    .innerJoin("payments as two", "two.orderId", "one.orderId")
    .select("one.reference")
    .where("one.reference", "=", reference)
    .where("two.reference", "=", other)
    .executeTakeFirst();
  return found !== undefined;
}

/** Locks a payment and its order. Undefined if no payment has this reference. */
export async function lockKnownOrder(trx: Transaction, reference: string): Promise<LockedOrder | undefined> {
  const known = await trx
    .selectFrom("payments")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst();
  return known && lockOrder(trx, reference);
}
