import { type Insertable, type RawBuilder, type Selectable, sql, type UpdateObject } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import type { Database } from "#db/types.ts";
import type { RefundReason } from "./issue-kind.ts";
import { recordIssue, resolveFailure, resolveRefundedIssues } from "./issues.server.ts";
import { moveOrder, type Order, type Payment } from "./lifecycle.server.ts";
import { refundMail } from "./mail-data.ts";
import { payerRefund } from "./payer/mail-data.ts";
import { numbersOf } from "./returns/numbers.server.ts";

export type Refund = Selectable<Database["refunds"]>;
/** A payment and its order, both locked. */
export type RefundedOrder = { payment: Payment; order: Order };
type NewRefund = Omit<Insertable<Database["refunds"]>, "reference" | "reason"> & { kobo: number; reason: RefundReason };

/**
 * A condition in SQL: whether a refund is still checked. The shop's failed refunds are, because their money may have
 * been returned by hand.
 */
export const IS_UNFINISHED = "(state in ('open', 'sent') or (state = 'failed' and origin = 'shop'))";

/** The time of the next check. If a webhook has made the refund due meanwhile, it stays due. */
export function nextTryAtSql(interval: RawBuilder<unknown>): RawBuilder<Date> {
  return sql`case when next_try_at <= clock_timestamp() then next_try_at else now() + ${interval} end`;
}

// Each function works in the transaction of its caller, who has locked the order. Failed refunds do not count in any
// sum.

export function refundsOf(trx: Db | Transaction, reference: string): Promise<Refund[]> {
  return trx.selectFrom("refunds").selectAll().where("reference", "=", reference).orderBy("createdAt").execute();
}

export type Balance = { paid: number; kobo: number; refunding: number; refunded: number; left: number };

/**
 * The sums of a payment in kobo: paid (with the provider's fees if the shopper paid them), charged, being refunded,
 * refunded, and left.
 */
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

/**
 * Records a refund that refunds.server.ts will carry out, and tells the shopper by mail, with `words`. Returns the
 * refund's id.
 */
export async function requestRefund(
  trx: Transaction,
  order: RefundedOrder,
  { words, ...refund }: NewRefund & { words?: string },
): Promise<string> {
  const row = await insertRefund(trx, order, refund);
  await tellShopper(trx, order, row, "refund-started", `refund:${row.id}`, { reason: refund.reason, words });
  return row.id;
}

/** Records a refund that the provider made without a request from the shop. */
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

/**
 * Marks a refund as done and tells the shopper by mail. `kobo` is the sum that went back, if it differs from the
 * requested one.
 */
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

/**
 * Cancels a refund that another one has replaced, and resolves its failure. If the provider carries it out all the
 * same, that counts as a separate refund.
 */
export async function voidRefund(trx: Transaction, id: string): Promise<void> {
  await changeRefund(trx, id, { state: "void", providerId: null });
  await resolveFailure(trx, id, 0);
}

/** Tells the shopper by mail and, if somebody else paid, whoever gets the money back. */
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
  const isByHand = await isPaidByHand(trx, payment.reference);
  const numbers = await numbersOf(trx, payment.reference);
  const { payerEmail } = payment;
  const toPayer = payerEmail !== null || undefined;
  await queueMail(trx, { key, recipient: order.email, kind, data: { ...data, isByHand, numbers, toPayer } });
  if (payerEmail === null) return;
  const told = { ...payerRefund(data, kind === "refund-done", reason), numbers };
  await queueMail(trx, {
    key: key.replace(":", "-payer:"), // the id stays the key's second part
    recipient: payerEmail,
    kind: "payer-refund",
    data: told,
    forgetRecipient: true,
  });
}

/** True if no company took the payment, so that people give the money back; otherwise undefined. */
export async function isPaidByHand(on: Db | Transaction, reference: string): Promise<true | undefined> {
  const { provider } = await on
    .selectFrom("payments")
    .select("provider")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  return descriptionOf(provider).isOutside ? undefined : true;
}

/** Records that all of a payment's money has gone back, whether by refunds of the shop or not. */
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

/** Stores the refunded sum that the provider reports, for `check` to compare. */
export async function recordProviderSum(trx: Transaction, reference: string, sum: number): Promise<void> {
  await trx.updateTable("payments").set({ providerRefundedKobo: sum }).where("reference", "=", reference).execute();
}

/** Moves an order to "refunded" once all of its money has gone back, and cancels its failed refunds. */
export async function settleRefunds(trx: Transaction, { payment, order }: RefundedOrder): Promise<void> {
  const { reference } = payment;
  const { refunded, kobo, paid } = await balanceOf(trx, reference);
  if (refunded < (payment.state === "paid" ? Math.min(kobo, paid) : paid)) return;
  await trx
    .updateTable("refunds")
    .set({ state: "void", providerId: null, updatedAt: sql`now()` }) // if it succeeds later, that is another refund
    .where("reference", "=", reference)
    .where("state", "=", "failed")
    .execute();
  await resolveRefundedIssues(trx, reference);
  const sale = await trx
    .updateTable("sales")
    .set({ status: "refunded" })
    .where("reference", "=", reference)
    .executeTakeFirst();
  // An order that another payment has sold keeps its state.
  if (sale.numUpdatedRows > 0n || !(await isSold(trx, order.id))) await moveOrder(trx, order.id, "refunded");
}

async function isSold(trx: Transaction, orderId: string): Promise<boolean> {
  const sale = await trx.selectFrom("sales").select("id").where("orderId", "=", orderId).executeTakeFirst();
  return sale !== undefined;
}
