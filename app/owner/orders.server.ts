import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { NEWEST_REFERENCE } from "#app/orders/history.server.ts";
import { lockOrder, releaseOrder } from "#app/orders/lifecycle.server.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";
import { planRefund } from "#app/orders/refund-plan.ts";
import { isLive, type OrderState } from "#app/orders/state.ts";
import { lockSale, refundSale } from "#app/payments/reject.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";

/** Sold, not yet sent, not wholly refunded, and with a piece that is left: delivery alone may have been kept. */
export const IS_TO_SEND = sql<boolean>`(orders.state = 'sold' and sales.fulfilled_at is null and sales.ready_at is null
  and paid.refunding_kobo + paid.refunded_kobo < coalesce(paid.paid_kobo, paid.kobo) and ${HAS_PIECES_LEFT})`;

/** `toSend`: sold, with pieces that are neither given back nor sent off nor ready to be picked up. An address is that of the account or of the delivery. */
export type OrderFilter = { state?: OrderState; toSend?: boolean; email?: string; since?: Date };

/** The newest orders that fit, and how many there are. The reference is that of the sale, else of the newest payment. */
export async function listAllOrders(
  on: Db,
  { state, toSend, email, since }: OrderFilter,
  { limit, offset }: { limit: number; offset: number },
) {
  const fitting = ownersOrders(on)
    .$if(state !== undefined, (query) => query.where("orders.state", "=", state as OrderState))
    .$if(toSend === true, (query) => query.where(IS_TO_SEND))
    .$if(since !== undefined, (query) => query.where("orders.createdAt", ">=", since as Date))
    .$if(email !== undefined, (query) =>
      query.where(
        sql<boolean>`(lower(orders.email) = ${email} or orders.user_id = (select id from users where email = ${email}))`,
      ),
    );
  const rows = await fitting.orderBy("orders.createdAt", "desc").limit(limit).offset(offset).execute();
  const { total } = await on
    .selectFrom(fitting.as("fitting"))
    .select(sql<number>`count(*)::int`.as("total"))
    .executeTakeFirstOrThrow();
  return { orders: rows.map(withSums), total };
}

/** One order with its lines, its address and what happened to its money, by the reference of any of its payments. */
export async function showOrder(on: Db, reference: string) {
  const order = await ownersOrders(on)
    .where("orders.id", "=", (eb) =>
      eb.selectFrom("payments").select("orderId").where("payments.reference", "=", reference),
    )
    .executeTakeFirst();
  if (!order) return;
  const payments = await on
    .selectFrom("payments as one")
    .innerJoin("payments as asked", "asked.orderId", "one.orderId")
    .select(["one.reference", "one.state", "one.providerStatus", "one.paidKobo", "one.paidAt"])
    .where("asked.reference", "=", reference)
    .orderBy("one.createdAt")
    .execute();
  const refunds = await on
    .selectFrom("refunds")
    .select(["reference", "kobo", "state", "origin", "reason", "pieces", "withShipping", "restock"])
    .select(["lastError", "createdAt", "updatedAt"])
    .where(
      "reference",
      "in",
      payments.map((payment) => payment.reference),
    )
    .orderBy("createdAt")
    .execute();
  const refundsOf = (payment: string) =>
    refunds.flatMap(({ reference, kobo, ...one }) => (reference === payment ? [{ ...one, kobo: Number(kobo) }] : []));
  return { ...withSums(order), payments: payments.map((one) => ({ ...one, refunds: refundsOf(one.reference) })) };
}

type Sums = { kobo: string; refundedKobo: string | null; refundingKobo: string | null };

function withSums<Row extends Sums>({ kobo, refundedKobo, refundingKobo, ...row }: Row) {
  return {
    ...row,
    kobo: Number(kobo),
    refundedKobo: Number(refundedKobo ?? 0),
    refundingKobo: Number(refundingKobo ?? 0),
  };
}

function ownersOrders(on: Db) {
  return on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .leftJoin("payments as paid", "paid.reference", "sales.reference")
    .select(["paid.refundedKobo", "paid.refundingKobo"])
    .select(["orders.state", "orders.email", "orders.kobo", "orders.lines", "orders.shipping"])
    .select([
      "orders.createdAt as orderedAt",
      "orders.number",
      "sales.packedAt",
      "sales.fulfilledAt",
      "sales.carrier",
      "sales.tracking",
      "sales.readyAt",
      "sales.deliveredAt",
      "sales.returnedAt",
      NEWEST_REFERENCE.as("reference"),
    ]);
}

/**
 * What has become of a change. `isRepeat`: it was done before, and nothing was done now. `since`: it was refused because of what others have done since the
 * order was looked at. `recorded`: what the log holds of it besides. `field`: what was said wrongly.
 */
export type Done =
  | { ok: true; what: string; isRepeat?: true; recorded?: object }
  | { ok: false; problem: string; field?: string; since?: Act[] };

/** What somebody has done to an order. */
export type Act = { at: Date; by: string; action: string };

/** Carries work out in a transaction: of its own, or one in which its caller does more. */
export type InTransaction = (work: (trx: Transaction) => Promise<Done>) => Promise<Done>;

/**
 * Ends an order that has not been sent off. What was not paid goes back into stock (the provider is asked first); a sale's money goes back to the
 * shopper, its pieces into stock.
 */
export async function cancelOrder(
  on: Db,
  reference: string,
  inTransaction: InTransaction = (work) => retryingTransaction(on, work),
): Promise<Done> {
  const settled = await settlePayment(reference, on);
  switch (settled.outcome) {
    case "sold":
      return inTransaction((trx) => cancelSale(trx, reference));
    case "unpaid":
      return inTransaction(async (trx): Promise<Done> => {
        const { order } = await lockOrder(trx, reference);
        if (!isLive(order.state)) return { ok: false, problem: "It has ended already" };
        await releaseOrder(trx, order.id);
        return { ok: true, what: "ended unpaid; its pieces are in stock again" };
      });
    case "pending":
      return { ok: false, problem: "A payment for it is under way: wait until it has arrived or failed" };
    case "refunding":
      return { ok: false, problem: "Its money is on its way back already" };
    case "unavailable":
      return { ok: false, problem: "The payment provider cannot be asked at the moment" };
    case "unknown-reference":
      return { ok: false, problem: `There is no order with the reference '${reference}'` };
  }
}

async function cancelSale(on: Transaction, reference: string): Promise<Done> {
  if (await refundSale(on, reference, "cancelled", { restock: true }))
    return { ok: true, what: "cancelled; the money goes back, the pieces are in stock again" };
  const sale = await lockSale(on, reference);
  if (sale?.isSentOff) return no("It has left already: its money goes back by a refund ('orders refund')");
  const plan = sale && planRefund(sale, { restock: true });
  return plan?.ok === false ? plan : no("Its money has been given back already");
}

function no(problem: string): Done {
  return { ok: false, problem };
}
