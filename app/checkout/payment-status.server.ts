import { type Db, prepared, transact } from "#app/infra/db.server.ts";
import { noteSecurity } from "#app/infra/security-log.server.ts";
import { lockOrder, releaseAttempt } from "./attempt.server.ts";
import { isLive } from "./order-state.ts";
import type { Settlement } from "./outcomes.ts";
import { settlePayment } from "./settle.server.ts";

/** Settles a payment for its owner; undefined when it is nobody's or another shopper's. */
export async function paymentStatus(on: Db, userId: string, reference: string): Promise<Settlement | undefined> {
  const status = await settlePayment(reference, on, userId);
  if (status.outcome !== "unknown-reference") return status;
  const [known] = await anybodys(on, reference);
  noteSecurity(known ? "foreign-reference" : "unknown-reference", { account: userId });
}

const anybodys = prepared<object, [reference: string]>("select 1 from payments where reference = $1");

/**
 * The same when the shopper has closed the payment window: stock that nothing was paid for goes back on the shelf. A
 * payment that comes all the same is settled like any late one.
 */
export async function closePayment(on: Db, userId: string, reference: string): Promise<Settlement | undefined> {
  const status = await paymentStatus(on, userId, reference);
  if (status?.outcome !== "unpaid") return status;
  await transact(on, async (trx) => {
    const { payment, attempt } = await lockOrder(trx, reference);
    if (isLive(attempt.state) && payment.state === "pending") await releaseAttempt(trx, attempt.id);
  });
  return status;
}
