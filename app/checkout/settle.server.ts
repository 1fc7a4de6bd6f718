import { sql } from "kysely";
import { announceCart, clearPaidItems } from "#app/cart/cart.server.ts";
import { type Db, db, prepared, type Transaction, transact } from "#app/infra/db.server.ts";
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
import { lockSizes, sellFromShelf, sellReserved, shortages, unitsOf } from "./reservation.server.ts";
import { judge, type ProviderTransaction } from "./verdict.ts";

/**
 * Brings a payment to where the provider says it is; the only way to a sale. Return page, webhook, poll and reconciler
 * all end here, in any order, at the same time, any number of times. With `ofUser` only a payment of that shopper is known.
 */
export async function settlePayment(
  reference: string,
  on: Db = db("checkout"),
  ofUser: string | null = null,
): Promise<Settlement> {
  const settled = await settledBefore(on, reference, ofUser);
  if (settled) return settled;
  const answer = await verify(reference);
  if (answer.ok) {
    const { buyer, ...settlement } = await transact(on, (trx) => record(trx, reference, answer.transaction));
    if (buyer) await announceCart(on, buyer); // the paid pieces have left it: other tabs are told
    return settlement;
  }
  if (answer.failure === "not-found") return transact(on, (trx) => recordNeverOpened(trx, reference));
  const lastError = `${answer.failure}: ${answer.message}`;
  await on.updateTable("payments").set({ lastError }).where("reference", "=", reference).execute();
  return { outcome: "unavailable" };
}

const paymentAndSale = prepared<
  { state: Payment["state"]; saleId: string | null },
  [reference: string, ofUser: string | null]
>(
  `select p.state, s.id as sale_id
   from payments p join attempts a on a.id = p.attempt_id left join sales s on s.reference = p.reference
   where p.reference = $1 and ($2::text is null or a.user_id = $2)`,
);

async function settledBefore(
  on: Db | Transaction,
  reference: string,
  ofUser: string | null = null,
): Promise<Settlement | undefined> {
  const [payment] = await paymentAndSale(on, reference, ofUser);
  if (!payment) return { outcome: "unknown-reference" };
  if (payment.saleId) return { outcome: "sold", saleId: payment.saleId };
  return payment.state === "refused" ? { outcome: "refunding" } : undefined;
}

/** `buyer` has just bought: their cart has changed. */
type Recorded = Settlement & { buyer?: string | null };

async function record(trx: Transaction, reference: string, transaction: ProviderTransaction): Promise<Recorded> {
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

const noteTransaction = prepared<
  object,
  [reference: string, id: string, status: string, amount: number, currency: string, paidAt: string | null]
>(
  `update payments set provider_id = $2, provider_status = $3, last_error = null, updated_at = now(),
     paid_kobo = case when $3 = 'success' then $4 else paid_kobo end,
     paid_currency = case when $3 = 'success' then $5 else paid_currency end,
     paid_at = case when $3 = 'success' then $6 else paid_at end
   where reference = $1`,
);

async function notePayment(trx: Transaction, reference: string, transaction: ProviderTransaction): Promise<void> {
  const { id, status, amount, currency, paidAt } = transaction;
  await noteTransaction(trx, reference, id, status, amount, currency, paidAt);
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
): Promise<Recorded> {
  if (await wasPaidAnotherWay(trx, attempt)) {
    await giveBack(trx, payment, attempt, transaction, "second-charge");
    return { outcome: "refunding" };
  }
  if (!(await takeStock(trx, attempt))) {
    await giveBack(trx, payment, attempt, transaction, "out-of-stock");
    return { outcome: "refunding" };
  }
  const saleId = await recordSale(trx, payment, attempt);
  if (isLive(attempt.state)) await sellReserved(trx, attempt.id);
  return { outcome: "sold", saleId, buyer: attempt.userId };
}

const saleSince = prepared<object, [userId: string, attemptId: string]>(
  `select id from sales
   where user_id = $1 and created_at >= (select created_at from attempts where id = $2) limit 1`,
);

/**
 * Whether this money comes on top: the attempt has been paid already, or the shopper has paid another one that was
 * started later or lay open at the same time. Two tabs that are both charged make one order.
 */
async function wasPaidAnotherWay(trx: Transaction, attempt: Attempt): Promise<boolean> {
  if (!isLive(attempt.state) && attempt.state !== "released") return true;
  if (!attempt.userId) return false;
  return (await saleSince(trx, attempt.userId, attempt.id)).length > 0;
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

const insertSale = prepared<{ saleId: string }, [reference: string]>(
  `with paid as (
     update payments set state = 'paid', next_check_at = null where reference = $1 returning attempt_id, kobo
   ), sale as (
     insert into sales (attempt_id, reference, user_id, email, shipping, subtotal_cents, shipping_cents, total_cents, rate, kobo, created_at)
     select a.id, $1, a.user_id, a.email, a.shipping, a.subtotal_cents, a.shipping_cents, a.total_cents, a.rate, paid.kobo, clock_timestamp()
     from attempts a join paid on a.id = paid.attempt_id
     returning id, attempt_id
   ), lines as (
     insert into sale_lines (sale_id, product_id, title, color, size, quantity, price_cents, image, position)
     select sale.id, l.product_id, l.title, l.color, l.size, l.quantity, l.price_cents, l.image, l.position - 1
     from sale join attempts a on a.id = sale.attempt_id, rows from (
       jsonb_to_recordset(a.lines) as
         ("productId" text, title text, color text, size text, quantity integer, "priceCents" integer, image jsonb)
     ) with ordinality as l(product_id, title, color, size, quantity, price_cents, image, position)
   )
   select id as sale_id from sale`,
);

async function recordSale(trx: Transaction, { reference }: Payment, attempt: Attempt): Promise<string> {
  await moveAttempt(trx, attempt.id, "sell");
  const [sale] = await insertSale(trx, reference);
  if (!sale) throw new Error("An inserted sale has an id");
  if (attempt.userId) await clearPaidItems(trx, attempt.userId, attempt.lines);
  await queueMail(trx, {
    key: `sale:${sale.saleId}`,
    recipient: attempt.email,
    kind: "order-confirmation",
    data: orderMail(attempt, reference, env.publicUrl),
  });
  return sale.saleId;
}
