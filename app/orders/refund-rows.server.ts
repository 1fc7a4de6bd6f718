import { type Insertable, type RawBuilder, type Selectable, sql, type UpdateObject } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import type { Database } from "#db/types.ts";
import type { RefundReason } from "./issue-kind.ts";
import { recordIssue, resolveFailure, resolveRefundedIssues } from "./issues.server.ts";
import { moveOrder, type Order, type Payment } from "./lifecycle.server.ts";
import { refundMail } from "./mail-data.ts";

export type Refund = Selectable<Database["refunds"]>;
/** A payment and its order, both locked. */
export type RefundedOrder = { payment: Payment; order: Order };
type NewRefund = Omit<Insertable<Database["refunds"]>, "reference" | "reason"> & { kobo: number; reason: RefundReason };

/** A refund that is looked at until it ends; what has failed may be given back by hand. */
export const IS_UNFINISHED = "(state in ('open', 'sent') or (state = 'failed' and origin = 'shop'))";

/** When it is looked at again; a look that a webhook has asked for meanwhile is not put off. */
export function lookAgainIn(interval: RawBuilder<unknown>): RawBuilder<Date> {
  return sql`case when next_try_at <= clock_timestamp() then next_try_at else now() + ${interval} end`;
}

// What is written down of money going back, each time in the transaction of its caller, who has locked the order. What has failed counts for nothing.

export function refundsOf(trx: Db | Transaction, reference: string): Promise<Refund[]> {
  return trx.selectFrom("refunds").selectAll().where("reference", "=", reference).orderBy("createdAt").execute();
}

export type Balance = { paid: number; kobo: number; refunding: number; refunded: number; left: number };

/** What was paid (fees included, where the shopper bore them) and charged, what of it goes back, has gone back, and is left. */
export async function balanceOf(on: Db | Transaction, reference: string): Promise<Balance> {
  const row = await on
    .selectFrom("payments")
    .select(["kobo", "paidKobo", "refundingKobo", "refundedKobo"])
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const [paid, refunding, refunded] = [
    Number(row.paidKobo ?? row.kobo),
    Number(row.refundingKobo),
    Number(row.refundedKobo),
  ];
  return { paid, kobo: Number(row.kobo), refunding, refunded, left: paid - refunding - refunded };
}

/** Money that is to go back from now on; the shopper is told, with `words`. refunds.server.ts carries it out. Answers the refund's id. */
export async function requestRefund(
  trx: Transaction,
  order: RefundedOrder,
  { words, ...refund }: NewRefund & { words?: string },
): Promise<string> {
  const row = await insertRefund(trx, order, refund);
  await tellShopper(trx, order, row, "refund-started", `refund:${row.id}`, { reason: refund.reason, words });
  return row.id;
}

/** Money that the provider gives back, or has given back, without having been asked by the shop. */
export async function recordUnasked(
  trx: Transaction,
  order: RefundedOrder,
  refund: Pick<NewRefund, "kobo" | "reason" | "providerId">,
  state: "sent" | "done",
): Promise<void> {
  const row = await insertRefund(trx, order, { ...refund, origin: "provider", state });
  if (state === "done") await finishRefund(trx, order, row);
}

function insertRefund(trx: Transaction, { payment }: RefundedOrder, refund: NewRefund): Promise<Refund> {
  return trx
    .insertInto("refunds")
    .values({ ...refund, reference: payment.reference })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The money is back with the shopper, who is told; `kobo` is what has come, where that is not what was asked for. */
export async function finishRefund(
  trx: Transaction,
  order: RefundedOrder,
  row: Refund,
  { kobo = Number(row.kobo), providerId = row.providerId } = {},
): Promise<void> {
  const changed = { state: "done" as const, kobo, providerId, lastError: null };
  await changeRefund(trx, row.id, changed);
  await tellShopper(trx, order, { ...row, kobo: String(kobo) }, "refund-done", `refund-done:${row.id}`);
}

export async function changeRefund(
  trx: Transaction,
  id: string,
  change: UpdateObject<Database, "refunds">,
): Promise<void> {
  await trx
    .updateTable("refunds")
    .set({ ...change, updatedAt: sql`now()` })
    .where("id", "=", id)
    .execute();
}

/** Another refund has taken its place: what had failed of it is none to look at. Should the provider carry it out after all, that is a refund of its own. */
export async function voidRefund(trx: Transaction, id: string): Promise<void> {
  await changeRefund(trx, id, { state: "void", providerId: null });
  await resolveFailure(trx, id, 0);
}

async function tellShopper(
  trx: Transaction,
  { payment, order }: RefundedOrder,
  refund: Refund,
  kind: "refund-started" | "refund-done",
  key: string,
  { reason, words }: { reason?: RefundReason; words?: string } = {},
): Promise<void> {
  const currency = payment.paidCurrency ?? "NGN";
  const sum = { amount: Number(refund.kobo), currency };
  const isPart = sum.amount < Number(payment.paidKobo ?? payment.kobo);
  const data = refundMail(order, payment.reference, sum, reason, env.publicUrl, isPart ? refund : undefined, words);
  await queueMail(trx, { key, recipient: order.email, kind, data });
}

/** All of a payment's money has gone back, whoever saw to that. */
export async function recordReversal(trx: Transaction, order: RefundedOrder): Promise<void> {
  const { reference, state } = order.payment;
  for (const row of await refundsOf(trx, reference)) {
    const { left } = await balanceOf(trx, reference);
    const isCounted = row.state === "open" || row.state === "sent";
    if (isCounted || (row.state === "failed" && Number(row.kobo) <= left)) await finishRefund(trx, order, row);
  }
  const { left, paid } = await balanceOf(trx, reference);
  if (left > 0) {
    if (state === "paid") await recordIssue(trx, reference, "reversed");
    await recordUnasked(trx, order, { kobo: left, reason: "reversed", providerId: null }, "done");
  }
  await recordProviderSum(trx, reference, paid);
}

/** What the provider says has gone back: `check` compares it. */
export async function recordProviderSum(trx: Transaction, reference: string, sum: number): Promise<void> {
  await trx.updateTable("payments").set({ providerRefundedKobo: sum }).where("reference", "=", reference).execute();
}

/** An order whose money has all gone back says so, and what had failed before is needed no more. */
export async function settleRefunds(trx: Transaction, { payment, order }: RefundedOrder): Promise<void> {
  const { reference } = payment;
  const { refunded, kobo, paid } = await balanceOf(trx, reference);
  if (refunded < (payment.state === "paid" ? Math.min(kobo, paid) : paid)) return;
  await trx
    .updateTable("refunds")
    .set({ state: "void", providerId: null, updatedAt: sql`now()` }) // should it come through after all, that is one of its own
    .where("reference", "=", reference)
    .where("state", "=", "failed")
    .execute();
  await resolveRefundedIssues(trx, reference);
  const sale = await trx
    .updateTable("sales")
    .set({ status: "refunded" })
    .where("reference", "=", reference)
    .executeTakeFirst();
  // An order sold by another payment of its own stays what its sale is.
  if (sale.numUpdatedRows > 0n || !(await isSold(trx, order.id))) await moveOrder(trx, order.id, "refunded");
}

async function isSold(trx: Transaction, orderId: string): Promise<boolean> {
  const sale = await trx.selectFrom("sales").select("id").where("orderId", "=", orderId).executeTakeFirst();
  return sale !== undefined;
}
