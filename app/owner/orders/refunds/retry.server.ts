import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { resolveRetried } from "#app/orders/issues.server.ts";
import {
  balanceOf,
  changeRefund,
  type Refund,
  type RefundedOrder,
  requestRefund,
  voidRefund,
} from "#app/orders/refund-rows.server.ts";

/**
 * The sum that `retryRefunds` would request, in kobo: the failed refunds, or all that is left of an order that is
 * refunded as a whole.
 */
export async function sumToRetry(trx: Transaction, order: RefundedOrder): Promise<number> {
  const { reference, state } = order.payment;
  const { left, refunding } = await balanceOf(trx, reference);
  const failed = await failedOf(trx, reference);
  if (failed.length > 0)
    return Math.min(
      left,
      failed.reduce((sum, { kobo }) => sum + Number(kobo), 0),
    );
  const goesBackWhole = state === "refused" || (state === "paid" && order.order.state === "refunding");
  return goesBackWhole && refunding === 0 ? left : 0;
}

/** The result's text of a retry, by which the audit log's row is found. */
export const ASKED_ONCE_MORE = "the refund is sent to the provider again";

/**
 * Requests failed refunds again, as far as money is left for them. Returns their sums and times of failure, which the
 * refunds' rows lose.
 */
export async function retryRefunds(trx: Transaction, order: RefundedOrder): Promise<{ kobo: number; at: Date }[]> {
  const { reference } = order.payment;
  const failed = await failedOf(trx, reference);
  const rest = await sumToRetry(trx, order);
  if (failed.length === 0 && rest > 0) {
    await requestRefund(trx, order, { kobo: rest, reason: "returned" });
    await resolveRetried(trx, reference);
  }
  for (const { id, kobo, failedBefore, providerId } of failed) {
    const { left } = await balanceOf(trx, reference);
    if (left === 0) await voidRefund(trx, id);
    else
      await changeRefund(trx, id, {
        state: "open",
        kobo: Math.min(Number(kobo), left),
        failedBefore: providerId ? [...failedBefore, providerId] : failedBefore,
        providerId: null,
        tries: 0,
        nextTryAt: sql`now()`,
        lastError: null,
      });
  }
  const ids = failed.map(({ id }) => id);
  if (ids.length > 0) await resolveRetried(trx, reference, ids);
  return failed.map(({ kobo, updatedAt }) => ({ kobo: Number(kobo), at: updatedAt }));
}

function failedOf(trx: Transaction, reference: string): Promise<Refund[]> {
  return trx
    .selectFrom("refunds")
    .selectAll()
    .where("reference", "=", reference)
    .where("state", "=", "failed")
    .where("origin", "=", "shop")
    .orderBy("createdAt")
    .forUpdate()
    .execute();
}
