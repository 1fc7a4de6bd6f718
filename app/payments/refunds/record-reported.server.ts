import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { HOUR, MINUTE } from "#app/infra/durations.ts";
import { recordIssue, resolveFailure } from "#app/orders/issues.server.ts";
import {
  balanceOf,
  changeRefund,
  finishRefund,
  nextTryAtSql,
  type Refund,
  type RefundedOrder,
  recordProviderSum,
  recordReversal,
  recordUnasked,
  refundsOf,
  settleRefunds,
  voidRefund,
} from "#app/orders/refund-rows.server.ts";
import type { ProviderRefund } from "#app/payment-provider/contract.ts";
import { isAlive, matchRefunds } from "./match.ts";

/** The refunds of a payment, as the provider reports them. */
export type ReportedRefunds = { refunds: ProviderRefund[]; isReversed: boolean };

/**
 * Records what has become of a payment's refunds, including those made in the provider's dashboard. The caller has
 * locked the order.
 */
export async function recordRefunds(
  trx: Transaction,
  order: RefundedOrder,
  { refunds, isReversed }: ReportedRefunds,
): Promise<void> {
  const { reference } = order.payment;
  const rows = (await refundsOf(trx, reference)).filter(({ state }) => state !== "void");
  const { matched, foreign } = matchRefunds(rows, refunds);
  const alive = matched.filter(({ reported }) => isAlive(reported));
  // The provider may call a payment "reversed" after a part refund, too. The whole payment has gone back if the shop
  // requested a refund of all, or if there is none but failed refunds, and so the bank took the money.
  if (isReversed && (alive.some(({ row }) => isForAll(order, row)) || !refunds.some(isAlive))) {
    for (const { row, reported } of alive) await changeRefund(trx, row.id, { providerId: reported.id });
    await recordReversal(trx, order);
  } else {
    for (const { row, reported } of matched) await follow(trx, order, row, reported);
    for (const one of foreign) await recordForeign(trx, order, one);
    const back = refunds.filter(({ status }) => status === "processed");
    if (back.every(({ amount }) => amount)) await recordProviderSum(trx, reference, sumOf(back));
  }
  await settleRefunds(trx, order);
}

function isForAll({ payment: { paidKobo, kobo } }: RefundedOrder, row: Refund): boolean {
  return Number(row.kobo) >= Number(paidKobo ?? kobo);
}

function sumOf(refunds: ProviderRefund[]): number {
  return refunds.reduce((sum, { amount = 0 }) => sum + amount, 0);
}

async function follow(trx: Transaction, order: RefundedOrder, row: Refund, reported: ProviderRefund): Promise<void> {
  const { reference } = order.payment;
  if (row.state === "done") return addToDone(trx, reference, row, reported);
  const { id: providerId, status } = reported;
  if (status === "failed") {
    if (row.state !== "sent") return; // an open refund will be requested again
    await changeRefund(trx, row.id, { state: "failed", providerId });
    if (await isAskedFor(trx, reference)) await recordIssue(trx, reference, "refund-failed", { status }, row.id);
    return;
  }
  const { left } = await balanceOf(trx, reference);
  const asked = Number(row.kobo);
  const room = row.state === "failed" ? left : asked + left;
  if (room === 0) return; // the provider reports more than was paid: `check` reports the difference
  if (status === "processed") {
    const kobo = Math.min(reported.amount ?? asked, room);
    await finishRefund(trx, order, row, { kobo, providerId });
    // Only a part has gone back: the issue stays open until the rest has gone back, too.
    if (kobo < asked)
      await recordIssue(trx, reference, "refund-failed", { status: "partly-processed", asked, kobo }, row.id);
    else await resolveFailure(trx, row.id, kobo);
    return;
  }
  if (status === "needs-attention") await recordIssue(trx, reference, "refund-failed", { status }, row.id);
  await keepUnderWay(trx, row, Math.min(asked, room), providerId);
}

/**
 * Whether the shop has requested any refund of this payment. The failed refund itself may have been made in the
 * provider's dashboard, in place of a requested one.
 */
async function isAskedFor(trx: Transaction, reference: string): Promise<boolean> {
  return (await refundsOf(trx, reference)).some(({ origin }) => origin === "shop");
}

/** Records that a finished refund has grown: the provider now reports a larger amount. */
async function addToDone(trx: Transaction, reference: string, row: Refund, reported: ProviderRefund): Promise<void> {
  const { left } = await balanceOf(trx, reference);
  const more = Math.min((reported.amount ?? 0) - Number(row.kobo), left);
  if (reported.status !== "processed" || more <= 0) return;
  const kobo = Number(row.kobo) + more;
  await changeRefund(trx, row.id, { kobo });
  await resolveFailure(trx, row.id, kobo);
}

/**
 * Records that a refund is under way. It takes days, so its checks become rarer over time: every 5 minutes at first,
 * every hour at last. A webhook makes the refund due at once.
 */
async function keepUnderWay(trx: Transaction, { id }: Refund, kobo: number, providerId: string): Promise<void> {
  await trx
    .updateTable("refunds")
    .set({
      state: "sent",
      kobo,
      providerId,
      tries: 0,
      lastError: null,
      nextTryAt: nextTryAtSql(
        sql`greatest(${millisecondsSql(5 * MINUTE)}, least(${millisecondsSql(HOUR)}, now() - updated_at))`,
      ),
      updatedAt: sql`case when state = 'sent' and provider_id = ${providerId} then updated_at else now() end`,
    })
    .where("id", "=", id)
    .execute();
}

/**
 * Records a refund made in the provider's dashboard. If a refund of the same sum has failed here or was requested
 * without an answer, the two are the same; otherwise the provider's is a separate refund. Waiting refunds that then
 * exceed what was paid are reduced or voided: the provider cannot have made them, as it never refunds more than was
 * paid.
 */
async function recordForeign(trx: Transaction, order: RefundedOrder, one: ProviderRefund): Promise<void> {
  const { reference } = order.payment;
  const all = await refundsOf(trx, reference);
  const { left } = await balanceOf(trx, reference);
  const amount = one.amount ?? left;
  // A refund that was recorded as done without the provider's id, as after a bank's reversal, or in the shop from which
  // the sale was imported.
  const done = all.find(({ state, providerId, kobo }) => state === "done" && !providerId && Number(kobo) === amount);
  if (done) return changeRefund(trx, done.id, { providerId: one.id });
  const rows = all.filter(({ origin }) => origin === "shop").reverse();
  const isWaiting = ({ state, providerId }: Refund) => (state === "open" || state === "sent") && providerId === null;
  const same = rows.find(
    (row) =>
      Number(row.kobo) === amount &&
      (row.state === "failed" || (row.state === "sent" && isWaiting(row)) || (isWaiting(row) && amount > left)),
  );
  if (same) return follow(trx, order, same, one);
  let room = left;
  for (const row of rows.filter(isWaiting)) {
    const less = Math.min(Number(row.kobo), Math.max(0, amount - room));
    room += less;
    if (less === Number(row.kobo)) await voidRefund(trx, row.id);
    else if (less > 0) await changeRefund(trx, row.id, { kobo: Number(row.kobo) - less });
  }
  const kobo = Math.min(amount, room);
  const state = one.status === "processed" ? "done" : "sent";
  if (kobo > 0) await recordUnasked(trx, order, { kobo, reason: "provider", providerId: one.id }, state);
}
