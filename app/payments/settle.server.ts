import { sql } from "kysely";
import { publishCart } from "#app/cart/cart.server.ts";
import { type Db, db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { milliseconds, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { limit } from "#app/infra/http/rate-limit.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import type { PaymentIssueKind, RefundReason } from "#app/orders/issue-kind.ts";
import {
  type LockedOrder,
  lockLiveOrder,
  lockOrder,
  moveOrder,
  type Order,
  type Payment,
  releaseExpired,
  releaseOrder,
} from "#app/orders/lifecycle.server.ts";
import { lockSizes, sellUnreserved, shortages, unitsOf, withUnits } from "#app/orders/reservation.server.ts";
import { logShortages } from "#app/orders/shortage-log.server.ts";
import { isLive } from "#app/orders/state.ts";
import { RESERVED_FOR, RESERVED_FOR_TRANSFER } from "#app/orders/time-limits.ts";
import type { ProviderTransaction } from "#app/payment-provider/contract.ts";
import { classify } from "./classify.ts";
import { isPaidLate, lateRefusal } from "./late.server.ts";
import type { Settlement } from "./outcomes.ts";
import { provider } from "./provider.server.ts";
import { recordSale, recordTransaction } from "./record-sale.server.ts";
import { rejectPayment, rejectReversed } from "./reject.server.ts";
import { inTraceOf } from "./trace.server.ts";

/**
 * Brings a payment to where the provider says it is; the only way to a sale. Return page, webhook, poll and reconciler
 * all end here, in any order, at the same time, any number of times. With `ofUser` it is that shopper who asks: only their payments are known.
 */
export async function settlePayment(
  reference: string,
  on: Db = db("checkout"),
  ofUser: string | null = null,
): Promise<Settlement> {
  const settled = await settledBefore(on, reference, ofUser);
  if (settled) return settled;
  if (ofUser !== null && !(await mayLook(on, ofUser))) return { outcome: "unavailable" };
  return inTraceOf(on, reference, "settle payment", () => settle(on, reference));
}

async function settle(on: Db, reference: string): Promise<Settlement> {
  const answer = await provider.verify(reference);
  if (answer.ok) {
    const { buyer, ...settlement } = await retryingTransaction(on, (trx) => record(trx, reference, answer.transaction));
    if (buyer) await publishCart(on, buyer); // the paid pieces have left it: other tabs show it
    return settlement;
  }
  if (answer.failure === "not-found") return retryingTransaction(on, (trx) => recordNeverOpened(trx, reference));
  const lastError = `${answer.failure}: ${answer.message}`;
  await on.updateTable("payments").set({ lastError }).where("reference", "=", reference).execute();
  return { outcome: "unavailable" };
}

/** A waiting page asks 8 times in the first minute. */
const LOOKS_A_MINUTE = 60;

/** The provider takes only so many calls of the whole shop: one shopper cannot use them up. Webhook and reconciler look all the same. */
async function mayLook(on: Db, userId: string): Promise<boolean> {
  const { ok } = await limit(on, [`looks of ${userId}`, LOOKS_A_MINUTE, MINUTE]);
  return ok;
}

const paymentAndSale = statement(
  {
    takes: { reference: sqlType.text, ofUser: sqlType.orNull(sqlType.text) },
    gives: { state: sqlType.textOf<Payment["state"]>(), saleId: sqlType.orNull(sqlType.text) },
  },
  `select p.state, s.id as sale_id
   from payments p join orders a on a.id = p.order_id left join sales s on s.reference = p.reference
   where p.reference = :reference and (:ofUser::text is null or a.user_id = :ofUser)`,
);

async function settledBefore(
  on: Db | Transaction,
  reference: string,
  ofUser: string | null = null,
): Promise<Settlement | undefined> {
  const [payment] = await paymentAndSale(on, { reference, ofUser });
  if (!payment) return { outcome: "unknown-reference" };
  if (payment.saleId) return { outcome: "sold", saleId: payment.saleId };
  return payment.state === "refused" ? { outcome: "refunding" } : undefined;
}

/** `buyer` has just bought: their cart has changed. */
type Recorded = Settlement & { buyer?: string | null };

async function record(trx: Transaction, reference: string, transaction: ProviderTransaction): Promise<Recorded> {
  const locked = await lockOrder(trx, reference);
  const { payment, order } = locked;
  if (payment.state === "paid" || payment.state === "refused") {
    const settled = await settledBefore(trx, reference); // by another one, while this one waited for the lock
    if (settled) return settled;
  }
  const classification = classify(transaction, { kobo: Number(payment.kobo), live: env.paystack.live });
  if (classification.kind === "paid") return sellOrReject(trx, locked, transaction);
  await recordTransaction(trx, transaction);
  switch (classification.kind) {
    case "pending":
      await keepWaiting(trx, order.id);
      await releaseExpired(trx, order.id);
      return { outcome: "pending" };
    case "unpaid":
      await releaseExpired(trx, order.id);
      return { outcome: "unpaid" };
    case "reversed":
      await rejectReversed(trx, payment, order);
      return { outcome: "refunding" };
    case "mismatch":
      await rejectPayment(trx, payment, order, transaction, classification.reason);
      return { outcome: "refunding" };
  }
}

async function recordNeverOpened(trx: Transaction, reference: string): Promise<Settlement> {
  const { order } = await lockOrder(trx, reference);
  await trx
    .updateTable("payments")
    .set({ providerStatus: "not-found", lastError: null, updatedAt: sql`now()` })
    .where("reference", "=", reference)
    .execute();
  await releaseExpired(trx, order.id);
  return { outcome: "unpaid" };
}

/** A transfer may take a while: its stock is held on for it, but not for ever. */
async function keepWaiting(trx: Transaction, orderId: string): Promise<void> {
  if (!(await moveOrder(trx, orderId, "wait"))) return;
  await trx
    .updateTable("orders")
    .set({
      expiresAt: sql`greatest(expires_at, least(now() + ${milliseconds(RESERVED_FOR)}, created_at + ${milliseconds(RESERVED_FOR_TRANSFER)}))`,
    })
    .where("id", "=", orderId)
    .execute();
}

async function sellOrReject(
  trx: Transaction,
  locked: LockedOrder,
  transaction: ProviderTransaction,
): Promise<Recorded> {
  const { payment, order } = locked;
  const refusal = await rejectionReason(trx, locked, transaction);
  if (!refusal) {
    if (order.userId === null) logInternalError("userNotFound", { reference: payment.reference });
    return { outcome: "sold", saleId: await recordSale(trx, order, transaction), buyer: order.userId };
  }
  await recordTransaction(trx, transaction);
  await rejectPayment(trx, payment, order, transaction, refusal);
  return { outcome: "refunding" };
}

async function rejectionReason(
  trx: Transaction,
  locked: LockedOrder,
  transaction: ProviderTransaction,
): Promise<(PaymentIssueKind & RefundReason) | undefined> {
  const { order } = locked;
  if (wasPaidAnotherWay(locked)) return "second-charge";
  const late = isPaidLate(order, transaction) ? await lateRefusal(trx, order, transaction) : undefined;
  return late ?? takeStock(trx, order);
}

/**
 * Whether this money comes on top: the order has been paid already, or the shopper has paid another one that was
 * started later or lay open at the same time. Two tabs that are both charged make one order.
 */
function wasPaidAnotherWay({ order, hasBoughtSince }: LockedOrder): boolean {
  return hasBoughtSince || !(isLive(order.state) || order.state === "released");
}

/** Sells the units that are not reserved any more, or never were; answers why that cannot be. */
async function takeStock(trx: Transaction, order: Order): Promise<"out-of-stock" | undefined> {
  if (isLive(order.state) && order.holdsStock) return;
  const units = unitsOf(order.lines);
  // The shopper has started another order and paid the old one: what the new one holds is theirs, if that is enough.
  const live = order.userId ? await lockLiveOrder(trx, order.userId) : undefined;
  const newer = live?.id === order.id ? undefined : live;
  const own = newer?.holdsStock ? unitsOf(newer.lines) : [];
  const availability = withUnits(await lockSizes(trx, [...units, ...own]), own);
  const short = shortages(units, availability);
  if (short.length > 0) {
    await logShortages(trx, short);
    return "out-of-stock";
  }
  if (newer) await releaseOrder(trx, newer.id);
  await sellUnreserved(trx, units);
}
