import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { lockOrder, releaseOrder } from "#app/orders/lifecycle.server.ts";
import type { Settlement } from "./outcomes.ts";
import { settlePayment } from "./settle.server.ts";

/** Settles a shopper's payment. Undefined if it is unknown or another shopper's. Safe to repeat. */
export async function paymentStatus(on: Db, userId: string, reference: string): Promise<Settlement | undefined> {
  const settlement = await settlePayment(reference, on, userId);
  if (settlement.outcome !== "unknown-reference") return settlement;
  await noteNotOwn(on, userId, reference);
}

/** Logs that a shopper asked for an order that does not exist or is another shopper's. */
export async function noteNotOwn(on: Db, userId: string, reference: string): Promise<void> {
  const [known] = await anyPayment(on, { reference });
  noteSecurity(known ? "foreign-reference" : "unknown-reference", { account: userId });
}

const anyPayment = statement(
  { takes: { reference: sqlType.text }, gives: {} },
  "select from payments where reference = :reference",
);

/**
 * Settles a shopper's payment after the payment window was closed. If nothing was paid, releases the order's stock,
 * unless staff put the order together or somebody else has a link to pay it: it is promised until a time. A payment
 * that arrives afterwards is settled as a late payment.
 */
export async function closePayment(on: Db, userId: string, reference: string): Promise<Settlement | undefined> {
  const settlement = await paymentStatus(on, userId, reference);
  if (settlement?.outcome !== "unpaid") return settlement;
  await retryingTransaction(on, async (trx) => {
    const { payment, order, byStaff, byPayerLink } = await lockOrder(trx, reference);
    if (payment.state === "pending" && !byStaff && !byPayerLink) await releaseOrder(trx, order.id);
  });
  return settlement;
}
