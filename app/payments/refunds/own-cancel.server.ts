import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { stageOf } from "#app/orders/fulfilment/progress.ts";
import { IS_MOVED_IN } from "#app/orders/history.server.ts";
import { IS_MONEY_TAKEN } from "#app/orders/issues.server.ts";
import { lockOrder } from "#app/orders/lifecycle.server.ts";
import { OWN_CANCEL } from "#app/orders/refund-causes.ts";
import { planRefund, type RefundPlan } from "#app/orders/refund-plan.ts";
import { IS_BY_HAND } from "../provider.server.ts";
import { cancelOrder } from "./cancel.server.ts";
import { refundableOf } from "./refund-sale.server.ts";

/**
 * Why a shopper cannot cancel an order. "ask": staff have to look at it, since a part of it is elsewhere, the bank may
 * take its money back, they give that back by hand, or nobody knows whether another shop has sent it.
 */
export type NotCancellable = "not-sold" | "given-back" | "too-late" | "too-many" | "ask";
export type CancelOffer = RefundPlan | { ok: false; why: NotCancellable };

/** The most orders that an account can cancel by itself within `PERIOD`. Staff are asked about further ones. */
export const MOST_OWN = 3;
const PERIOD = 30 * DAY;

/** What goes back if the shopper cancels the order now, or the reason why it cannot be cancelled. */
export async function readCancelOffer(on: Db | Transaction, userId: string, reference: string): Promise<CancelOffer> {
  const sale = await on
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .innerJoin("payments", "payments.reference", "sales.reference")
    .select(["orders.state", "orders.lines", "orders.subtotalCents", "orders.shippingCents", "orders.rate"])
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt"])
    .select([IS_MOVED_IN.as("isMovedIn"), IS_MONEY_TAKEN.as("isMoneyTaken")])
    .select(IS_BY_HAND.as("isByHand"))
    .where("sales.reference", "=", reference)
    .where("orders.userId", "=", userId)
    .where("orders.trial", "=", false)
    .executeTakeFirst();
  if (!sale) return refuse("not-sold");
  if (sale.state !== "sold") return refuse("given-back");
  if (stageOf(sale) !== "paid") return refuse("too-late");
  if (sale.isMovedIn || sale.isMoneyTaken || sale.isByHand) return refuse("ask");
  const plan = planRefund(await refundableOf(on, reference, sale), { restock: true });
  if (!plan.ok || plan.pieces.length === 0) return refuse("ask");
  return (await countOwn(on, userId)) < MOST_OWN ? plan : refuse("too-many");
}

/** How many orders the account has cancelled by itself within `PERIOD`. */
async function countOwn(on: Db | Transaction, userId: string): Promise<number> {
  const { count } = await on
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .innerJoin("refunds", "refunds.reference", "payments.reference")
    .select(sql<number>`count(distinct orders.id)::int`.as("count"))
    .where("orders.userId", "=", userId)
    .where("refunds.cause", "=", OWN_CANCEL.cause)
    .where("refunds.createdAt", ">", sql<Date>`now() - ${millisecondsSql(PERIOD)}`)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Cancels a shopper's own order, in the same way as staff do, unless it is packed or cannot be cancelled for another
 * reason. Everything that is left of it goes back, the delivery included. Safe to repeat.
 */
export async function cancelOwnOrder(
  on: Db,
  userId: string,
  reference: string,
): Promise<{ ok: true } | { ok: false; why: NotCancellable }> {
  const done = await cancelOrder(
    on,
    reference,
    (work) =>
      retryingTransaction(on, async (trx) => {
        await lockOrder(trx, reference); // packing takes the same lock
        const offer = await readCancelOffer(trx, userId, reference);
        return offer.ok ? work(trx) : offer;
      }),
    OWN_CANCEL,
  );
  if (done.ok) return { ok: true };
  return "why" in done ? done : refuse("ask");
}

function refuse(why: NotCancellable): { ok: false; why: NotCancellable } {
  return { ok: false, why };
}
