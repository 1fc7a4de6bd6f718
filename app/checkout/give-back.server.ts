import { sql } from "kysely";
import { type Db, type Transaction, transact } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { type Attempt, lockOrder, moveAttempt, type Payment } from "./attempt.server.ts";
import type { BreakKind } from "./break-kind.ts";
import { noteBreak, resolveRefunded } from "./breaks.server.ts";
import { refundMail } from "./order-mail.ts";
import { isLive } from "./order-state.ts";
import { putBack, returnReserved, unitsOf } from "./reservation.server.ts";
import type { ProviderTransaction } from "./verdict.ts";

// The decisions that money goes back, each in the transaction of its caller. refunds.server.ts carries them out.

/** Refuses money that has come in and cannot become a sale: it goes back whole, and the shopper is told. */
export async function giveBack(
  trx: Transaction,
  payment: Payment,
  attempt: Attempt,
  transaction: ProviderTransaction,
  reason: BreakKind,
): Promise<void> {
  const { amount, currency, domain } = transaction;
  await refuse(trx, payment, attempt);
  if (attempt.state !== "sold") await moveAttempt(trx, attempt.id, "refund"); // sold: by another payment, which stands
  await noteBreak(trx, payment.reference, reason, { amount, currency, domain, expected: payment.kobo });
  await requestRefund(trx, payment.reference, attempt, { amount, currency }, reason);
}

/** The provider took the money back before the shop ever saw it. */
export async function noteReversal(trx: Transaction, payment: Payment, attempt: Attempt): Promise<void> {
  await refuse(trx, payment, attempt);
  await noteBreak(trx, payment.reference, "reversed");
  await concludeRefund(trx, payment, attempt);
}

async function refuse(trx: Transaction, { reference }: Payment, attempt: Attempt): Promise<void> {
  if (isLive(attempt.state)) await returnReserved(trx, attempt.id);
  await trx
    .updateTable("payments")
    .set({ state: "refused", nextCheckAt: null, updatedAt: sql`now()` })
    .where("reference", "=", reference)
    .execute();
}

/**
 * Gives a sale's money back at the owner's wish; its pieces stay sold, or with `restock` lie on the shelf again. False when there is no sale to give
 * back, or its pieces have left already and cannot lie on the shelf.
 */
export async function refundSale(
  on: Db | Transaction,
  reference: string,
  reason: string,
  { restock = false } = {},
): Promise<boolean> {
  return transact(on, async (trx) => {
    const sale = await trx.selectFrom("sales").select("id").where("reference", "=", reference).executeTakeFirst();
    if (!sale) return false;
    const { payment, attempt } = await lockOrder(trx, reference);
    if (restock && (await isSentOff(trx, sale.id))) return false;
    if (!(await moveAttempt(trx, attempt.id, "refund"))) return false;
    await trx.updateTable("sales").set({ status: "refunding" }).where("id", "=", sale.id).execute();
    await requestRefund(trx, reference, attempt, paidWith(payment), reason);
    if (restock) await putBack(trx, unitsOf(attempt.lines));
    return true;
  });
}

/** To be asked while the order is locked: it may be sent off in this moment. */
async function isSentOff(trx: Transaction, saleId: string): Promise<boolean> {
  const { fulfilledAt } = await trx
    .selectFrom("sales")
    .select("fulfilledAt")
    .where("id", "=", saleId)
    .executeTakeFirstOrThrow();
  return fulfilledAt !== null;
}

function paidWith({ paidKobo, paidCurrency, kobo }: Payment): { amount: number; currency: string } {
  return { amount: Number(paidKobo ?? kobo), currency: paidCurrency ?? "NGN" };
}

async function requestRefund(
  trx: Transaction,
  reference: string,
  attempt: Attempt,
  paid: { amount: number; currency: string },
  reason: string,
): Promise<void> {
  await trx.insertInto("refunds").values({ reference, kobo: paid.amount, reason }).execute();
  await queueMail(trx, {
    key: `refund:${reference}`,
    recipient: attempt.email,
    kind: "refund-started",
    data: refundMail(attempt, reference, paid, reason, env.publicUrl),
  });
}

async function isSold(trx: Transaction, attemptId: string): Promise<boolean> {
  const sale = await trx.selectFrom("sales").select("id").where("attemptId", "=", attemptId).executeTakeFirst();
  return sale !== undefined;
}

/** The money is back with the shopper: the refund, the sale (if it was one) and the attempt say so, and a mail does. */
export async function concludeRefund(trx: Transaction, payment: Payment, attempt: Attempt): Promise<void> {
  const { reference } = payment;
  await trx
    .updateTable("refunds")
    .set({ state: "done", updatedAt: sql`now()` })
    .where("reference", "=", reference)
    .execute();
  await resolveRefunded(trx, reference);
  const sale = await trx
    .updateTable("sales")
    .set({ status: "refunded" })
    .where("reference", "=", reference)
    .executeTakeFirst();
  // An order sold by another payment of its own stays what its sale is.
  if (sale.numUpdatedRows > 0n || !(await isSold(trx, attempt.id))) await moveAttempt(trx, attempt.id, "refunded");
  await queueMail(trx, {
    key: `refund-done:${reference}`,
    recipient: attempt.email,
    kind: "refund-done",
    data: refundMail(attempt, reference, paidWith(payment), "reversed", env.publicUrl),
  });
}
