import { sql } from "kysely";
import { publishCart } from "#app/cart/cart.server.ts";
import { type Db, db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql, type RowOf, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { countTrySql, isWithin, nameOf } from "#app/infra/http/rate-limit.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import { takeOffersAgain } from "#app/offers/offers.server.ts";
import type { PaymentIssueKind, RefundReason } from "#app/orders/issue-kind.ts";
import {
  isOfSql,
  type LockedOrder,
  lockLiveOrder,
  lockOrder,
  moveOrder,
  type Order,
  type Payment,
  releaseExpired,
  releaseOrder,
} from "#app/orders/lifecycle.server.ts";
import { markTurnsUsed } from "#app/orders/queue/queue.server.ts";
import { lockSizes, sellUnreserved, shortages, unitsOf, withUnits } from "#app/orders/reservation.server.ts";
import { logShortages } from "#app/orders/shortage-log.server.ts";
import { isLive } from "#app/orders/state.ts";
import { RESERVED_FOR, RESERVED_FOR_TRANSFER } from "#app/orders/time-limits.ts";
import type { PaymentProvider, ProviderTransaction } from "#app/payment-provider/contract.ts";
import { providerOf } from "#app/providers/registry.server.ts";
import { classify } from "./classify.ts";
import { isPaidLate, lateRefusal } from "./late.server.ts";
import type { Settlement } from "./outcomes.ts";
import { recordRefusal, recordSale, recordTransaction } from "./record-sale.server.ts";
import { rejectPayment, rejectReversed } from "./reject.server.ts";
import { inTraceOf } from "./trace.server.ts";

/**
 * Brings a payment to the state that the provider reports. Every sale is made here. The return page, the webhook,
 * polling and the reconciler all call it, in any order, at the same time and any number of times. With `ofUser`, only
 * that shopper's payments are known.
 */
export async function settlePayment(
  reference: string,
  on: Db = db("checkout"),
  ofUser: string | null = null,
): Promise<Settlement> {
  const found = await (ofUser === null ? settledBefore(on, reference) : settledOrRefused(on, reference, ofUser));
  if ("outcome" in found) return found;
  return inTraceOf(on, reference, "settle payment", () => settle(on, reference, providerOf(found.provider)));
}

async function settle(on: Db, reference: string, provider: PaymentProvider): Promise<Settlement> {
  const answer = await provider.verify(reference);
  if (answer.ok) {
    const { buyer, ...settlement } = await retryingTransaction(on, (trx) =>
      record(trx, reference, answer.transaction, provider.mode()),
    );
    if (buyer) await publishCart(on, buyer); // other tabs update their cart, which the paid pieces have left
    return settlement;
  }
  if (answer.failure === "not-found") return retryingTransaction(on, (trx) => recordNeverOpened(trx, reference));
  const lastError = `${answer.failure}: ${answer.message}`;
  await on.updateTable("payments").set({ lastError }).where("reference", "=", reference).execute();
  return { outcome: "unavailable" };
}

/** Provider calls per shopper and minute. A waiting page makes 8 in its first minute. */
const LOOKS_A_MINUTE = 60;

/** A payment that is not settled. */
type Unsettled = { provider: string };
const known = {
  state: sqlType.textOf<Payment["state"]>(),
  provider: sqlType.text,
  saleId: sqlType.orNull(sqlType.text),
};
const PAYMENT_AND_SALE = `select p.state, p.provider, s.id as sale_id
   from payments p join orders a on a.id = p.order_id left join sales s on s.reference = p.reference
   where p.reference = :reference`;
const paymentAndSale = statement({ takes: { reference: sqlType.text }, gives: known }, PAYMENT_AND_SALE);

async function settledBefore(on: Db | Transaction, reference: string): Promise<Settlement | Unsettled> {
  const [payment] = await paymentAndSale(on, { reference });
  return settledAs(payment);
}

function settledAs(payment: RowOf<typeof known> | undefined): Settlement | Unsettled {
  if (!payment) return { outcome: "unknown-reference" };
  if (payment.saleId) return { outcome: "sold", saleId: payment.saleId };
  return payment.state === "refused" ? { outcome: "refunding" } : { provider: payment.provider };
}

const paymentOfShopper = statement(
  {
    takes: { reference: sqlType.text, ofUser: sqlType.text, key: sqlType.text, within: sqlType.duration },
    gives: { ...known, looks: sqlType.orNull(sqlType.int) },
  },
  `with payment as (${PAYMENT_AND_SALE} and ${isOfSql("a", ":ofUser")}),
     looks as (${countTrySql("payment where sale_id is null and state <> 'refused'")})
   select state, provider, sale_id, (select count from looks) as looks from payment`,
);

/**
 * The same as `settledBefore`, for one shopper's own payment. The same statement counts the check of an unsettled
 * payment against the shopper's limit, because the provider limits the calls of the whole shop. The webhook and the
 * reconciler have no limit.
 */
async function settledOrRefused(on: Db, reference: string, ofUser: string): Promise<Settlement | Unsettled> {
  const key = `looks of ${ofUser}`;
  const [payment] = await paymentOfShopper(on, { reference, ofUser, key: nameOf(key), within: MINUTE });
  const found = settledAs(payment);
  if ("outcome" in found) return found;
  return isWithin(key, payment?.looks ?? 0, LOOKS_A_MINUTE) ? found : { outcome: "unavailable" };
}

/** `buyer` is the shopper whose cart the sale has just changed. */
type Recorded = Settlement & { buyer?: string | null };

async function record(
  trx: Transaction,
  reference: string,
  transaction: ProviderTransaction,
  mode: "test" | "live",
): Promise<Recorded> {
  const locked = await lockOrder(trx, reference);
  const { payment, order } = locked;
  if (payment.state === "paid" || payment.state === "refused") {
    const found = await settledBefore(trx, reference); // by another process, during the wait for the lock
    if ("outcome" in found) return found;
  }
  const classification = classify(transaction, { kobo: Number(payment.kobo), live: mode === "live" });
  if (classification.kind === "paid") return sellOrReject(trx, locked, transaction);
  await recordTransaction(trx, transaction);
  switch (classification.kind) {
    case "pending":
      await keepWaiting(trx, locked);
      await releaseExpired(trx, order.id);
      return { outcome: "pending" };
    case "unpaid":
      await recordRefusal(trx, transaction);
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

/**
 * Extends the reservation for a pending transfer, up to `RESERVED_FOR_TRANSFER` after the order was made; if staff put
 * it together, after the transfer was first seen.
 */
async function keepWaiting(trx: Transaction, { payment, order, byStaff }: LockedOrder): Promise<void> {
  if (!(await moveOrder(trx, order.id, "wait"))) return;
  const awaitedSince = sql`(select awaited_since from payments where reference = ${payment.reference})`;
  const begins = byStaff ? awaitedSince : sql`created_at`;
  await trx
    .updateTable("orders")
    .set({
      expiresAt: sql`greatest(expires_at, least(now() + ${millisecondsSql(RESERVED_FOR)}, ${begins} + ${millisecondsSql(RESERVED_FOR_TRANSFER)}))`,
    })
    .where("id", "=", order.id)
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
    if (order.userId === null && !locked.byStaff) logInternalError("userNotFound", { reference: payment.reference });
    return { outcome: "sold", saleId: await recordSale(trx, locked, transaction), buyer: order.userId };
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
  const late = isPaidLate(order, transaction) ? await lateRefusal(trx, locked, transaction) : undefined;
  return late ?? takeStock(trx, order);
}

/**
 * Whether this is a second charge: the order is already paid, or the shopper has paid another order that was started
 * later or was open at the same time. Two charges from two tabs make only one order.
 */
function wasPaidAnotherWay({ order, hasBoughtSince }: LockedOrder): boolean {
  return hasBoughtSince || !(isLive(order.state) || order.state === "released");
}

/**
 * Sells the units of an order without a reservation, and takes the order's uses of offers again. Returns the reason if
 * that is impossible.
 */
async function takeStock(trx: Transaction, order: Order): Promise<"out-of-stock" | "price-risen" | undefined> {
  if (isLive(order.state) && order.holdsStock) return;
  const units = unitsOf(order.lines);
  // The shopper may have started a newer order and then paid this one. The newer order's reservation may then be used.
  const live = order.userId ? await lockLiveOrder(trx, order.userId) : undefined;
  const newer = live?.id === order.id ? undefined : live;
  const own = newer?.holdsStock ? unitsOf(newer.lines) : [];
  const availability = withUnits(await lockSizes(trx, [...units, ...own]), own);
  const short = shortages(units, availability);
  if (short.length > 0) {
    await logShortages(trx, short);
    return "out-of-stock";
  }
  await sql`savepoint before_newer`.execute(trx);
  if (newer) await releaseOrder(trx, newer.id); // first: this order may need the newer one's uses of offers
  if (!(await takeOffersAgain(trx, order.id))) {
    await sql`rollback to savepoint before_newer`.execute(trx);
    return "price-risen"; // without the used-up offers, the order costs more
  }
  await sellUnreserved(trx, units);
  if (order.userId)
    await markTurnsUsed(
      trx,
      order.userId,
      units.map(({ productId }) => productId),
    );
}
