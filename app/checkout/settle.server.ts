import { sql } from "kysely";
import { announceCart, clearPaidItems } from "#app/cart/cart.server.ts";
import { type Db, db, type Transaction, transact } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import {
  type Attempt,
  clearShelf,
  lockLiveAttempt,
  lockOrder,
  moveAttempt,
  type Payment,
  releaseExpired,
} from "./attempt.server.ts";
import { giveBack, noteReversal } from "./give-back.server.ts";
import { orderMail } from "./order-mail.ts";
import { isLive } from "./order-state.ts";
import type { Settlement } from "./outcomes.ts";
import { verify } from "./paystack.server.ts";
import { endReservation, lockSizes, sellFromShelf, shortages, unitsOf } from "./reservation.server.ts";
import { judge, type ProviderTransaction } from "./verdict.ts";

/**
 * Brings a payment to where the provider says it is; the only way to a sale. Return page, webhook, poll and reconciler
 * all end here, in any order, at the same time, any number of times.
 */
export async function settlePayment(reference: string, on: Db = db("checkout")): Promise<Settlement> {
  const settled = await settledBefore(on, reference);
  if (settled) return settled;
  const answer = await verify(reference);
  if (answer.ok) {
    const settlement = await transact(on, (trx) => record(trx, reference, answer.transaction));
    if (settlement.outcome === "sold") await announceBuyer(on, reference);
    return settlement;
  }
  if (answer.failure === "not-found") return transact(on, (trx) => recordNeverOpened(trx, reference));
  const lastError = `${answer.failure}: ${answer.message}`;
  await on.updateTable("payments").set({ lastError }).where("reference", "=", reference).execute();
  return { outcome: "unavailable" };
}

/** The paid pieces have left the cart: its other tabs are told. */
async function announceBuyer(on: Db, reference: string): Promise<void> {
  const sale = await on.selectFrom("sales").select("userId").where("reference", "=", reference).executeTakeFirst();
  if (sale?.userId) await announceCart(on, sale.userId);
}

async function settledBefore(on: Db | Transaction, reference: string): Promise<Settlement | undefined> {
  const payment = await on
    .selectFrom("payments")
    .leftJoin("sales", "sales.reference", "payments.reference")
    .select(["state", "sales.id as saleId"])
    .where("payments.reference", "=", reference)
    .executeTakeFirst();
  if (!payment) return { outcome: "unknown-reference" };
  if (payment.saleId) return { outcome: "sold", saleId: payment.saleId };
  return payment.state === "refused" ? { outcome: "refunding" } : undefined;
}

async function record(trx: Transaction, reference: string, transaction: ProviderTransaction): Promise<Settlement> {
  const { payment, attempt } = await lockOrder(trx, reference);
  if (payment.state === "paid" || payment.state === "refused") {
    const settled = await settledBefore(trx, reference); // by another one, while this one waited for the lock
    if (settled) return settled;
  }
  await notePayment(trx, reference, transaction);
  const verdict = judge(transaction, { kobo: Number(payment.kobo), live: env.paystack.live });
  switch (verdict.kind) {
    case "pending":
      await keepWaiting(trx, attempt.id);
      await releaseExpired(trx, attempt.id);
      return { outcome: "pending" };
    case "unpaid":
      await releaseExpired(trx, attempt.id);
      return { outcome: "unpaid" };
    case "reversed":
      await noteReversal(trx, payment, attempt);
      return { outcome: "refunding" };
    case "misfit":
      await giveBack(trx, payment, attempt, transaction, verdict.reason);
      return { outcome: "refunding" };
    case "paid":
      return sellOrGiveBack(trx, payment, attempt, transaction);
  }
}

async function recordNeverOpened(trx: Transaction, reference: string): Promise<Settlement> {
  const { attempt } = await lockOrder(trx, reference);
  await trx.updateTable("payments").set({ providerStatus: "not-found" }).where("reference", "=", reference).execute();
  await releaseExpired(trx, attempt.id);
  return { outcome: "unpaid" };
}

async function notePayment(trx: Transaction, reference: string, transaction: ProviderTransaction): Promise<void> {
  const { id, status, amount, currency, paidAt } = transaction;
  const paid = status === "success" ? { paidKobo: amount, paidCurrency: currency, paidAt } : {};
  await trx
    .updateTable("payments")
    .set({ providerId: id, providerStatus: status, ...paid, lastError: null, updatedAt: sql`now()` })
    .where("reference", "=", reference)
    .execute();
}

/** A transfer may take a while: its stock is held on for it, but not for longer than two hours. */
async function keepWaiting(trx: Transaction, attemptId: string): Promise<void> {
  if (!(await moveAttempt(trx, attemptId, "wait"))) return;
  await trx
    .updateTable("attempts")
    .set({
      expiresAt: sql`greatest(expires_at, least(now() + interval '15 minutes', created_at + interval '2 hours'))`,
    })
    .where("id", "=", attemptId)
    .execute();
}

async function sellOrGiveBack(
  trx: Transaction,
  payment: Payment,
  attempt: Attempt,
  transaction: ProviderTransaction,
): Promise<Settlement> {
  if (await wasPaidAnotherWay(trx, attempt)) {
    await giveBack(trx, payment, attempt, transaction, "second-charge");
    return { outcome: "refunding" };
  }
  if (!(await takeStock(trx, attempt))) {
    await giveBack(trx, payment, attempt, transaction, "out-of-stock");
    return { outcome: "refunding" };
  }
  const saleId = await recordSale(trx, payment, attempt);
  // Last, so that a size that everybody wants is locked for as short as can be.
  if (isLive(attempt.state)) await endReservation(trx, attempt.id, "sold");
  return { outcome: "sold", saleId };
}

/**
 * Whether this money comes on top: the attempt has been paid already, or the shopper has paid another one that was
 * started later or lay open at the same time. Two tabs that are both charged make one order.
 */
async function wasPaidAnotherWay(trx: Transaction, attempt: Attempt): Promise<boolean> {
  if (!isLive(attempt.state) && attempt.state !== "released") return true;
  if (!attempt.userId) return false;
  const sale = await trx
    .selectFrom("sales")
    .select("id")
    .where("userId", "=", attempt.userId)
    .where("createdAt", ">=", sql<Date>`(select created_at from attempts where id = ${attempt.id})`)
    .limit(1)
    .executeTakeFirst();
  return sale !== undefined;
}

/** Whether the units are the shopper's: put aside still, or for an order that has lapsed taken from the shelf again if they are there. */
async function takeStock(trx: Transaction, attempt: Attempt): Promise<boolean> {
  if (isLive(attempt.state)) return true;
  const units = unitsOf(attempt.lines);
  // The shopper has begun anew and paid the old one all the same: what the new one holds is theirs to have.
  const newer = attempt.userId ? await lockLiveAttempt(trx, attempt.userId) : undefined;
  const shelf = newer ? await clearShelf(trx, units, newer) : await lockSizes(trx, units);
  if (shortages(units, shelf).length > 0) return false;
  await sellFromShelf(trx, units);
  return true;
}

async function recordSale(trx: Transaction, payment: Payment, attempt: Attempt): Promise<string> {
  const { reference } = payment;
  await moveAttempt(trx, attempt.id, "sell");
  await trx
    .updateTable("payments")
    .set({ state: "paid", nextCheckAt: null })
    .where("reference", "=", reference)
    .execute();
  const { id: saleId } = await trx
    .insertInto("sales")
    .values({
      attemptId: attempt.id,
      reference,
      userId: attempt.userId,
      email: attempt.email,
      shipping: JSON.stringify(attempt.shipping),
      subtotalCents: attempt.subtotalCents,
      shippingCents: attempt.shippingCents,
      totalCents: attempt.totalCents,
      rate: attempt.rate,
      kobo: payment.kobo,
      createdAt: sql`clock_timestamp()`,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await trx
    .insertInto("saleLines")
    .values(
      attempt.lines.map(({ image, ...line }, position) => ({
        saleId,
        position,
        ...line,
        image: image && JSON.stringify(image),
      })),
    )
    .execute();
  if (attempt.userId) await clearPaidItems(trx, attempt.userId, attempt.lines);
  await queueMail(trx, {
    key: `sale:${saleId}`,
    recipient: attempt.email,
    kind: "order-confirmation",
    data: orderMail(attempt, reference, env.publicUrl),
  });
  return saleId;
}
