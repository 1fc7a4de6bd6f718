import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { lockOrder, releaseOrder } from "#app/orders/lifecycle.server.ts";
import type { Settlement } from "./outcomes.ts";
import { settlePayment } from "./settle.server.ts";

/** Settles a payment for its shopper; undefined where it is unknown or another shopper's. Safe to repeat. */
export async function paymentStatus(on: Db, userId: string, reference: string): Promise<Settlement | undefined> {
  const status = await settlePayment(reference, on, userId);
  if (status.outcome !== "unknown-reference") return status;
  await noteNotOwn(on, userId, reference);
}

/** Logs that somebody has asked for an order that is not theirs, or does not exist. */
export async function noteNotOwn(on: Db, userId: string, reference: string): Promise<void> {
  const [known] = await anyPayment(on, { reference });
  noteSecurity(known ? "foreign-reference" : "unknown-reference", { account: userId });
}

const anyPayment = statement(
  { takes: { reference: sqlType.text }, gives: {} },
  "select from payments where reference = :reference",
);

/**
 * The same when the shopper has closed the payment window: stock that nothing was paid for can be bought again. A
 * payment that comes all the same is settled like any late one.
 */
export async function closePayment(on: Db, userId: string, reference: string): Promise<Settlement | undefined> {
  const status = await paymentStatus(on, userId, reference);
  if (status?.outcome !== "unpaid") return status;
  await retryingTransaction(on, async (trx) => {
    const { payment, order } = await lockOrder(trx, reference);
    if (payment.state === "pending") await releaseOrder(trx, order.id);
  });
  return status;
}
