import { randomUUID } from "node:crypto";
import { takeOutPaidSql } from "#app/cart/cart.server.ts";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement, statementWithCommit } from "#app/infra/database/statement.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import type { LockedOrder } from "#app/orders/lifecycle.server.ts";
import { orderMail } from "#app/orders/mail-data.ts";
import { payerReceipt } from "#app/orders/payer/mail-data.ts";
import { endReservationSql } from "#app/orders/reservation.server.ts";
import { isOneOfSql, stateAfter, statesThatAccept } from "#app/orders/state.ts";
import { SUM_COLUMNS } from "#app/orders/sums.ts";
import type { ProviderTransaction } from "#app/payment-provider/contract.ts";
import { pickupCenter } from "#app/shipping/rates.server.ts";

const transactionTypes = {
  reference: sqlType.text,
  id: sqlType.text,
  status: sqlType.text,
  isPaid: sqlType.bool,
  isAwaited: sqlType.bool,
  amount: sqlType.bigintFrom,
  currency: sqlType.text,
  paidAt: sqlType.orNull(sqlType.timeFrom),
};
const SET_TRANSACTION = `provider_id = :id, provider_status = :status, last_error = null, updated_at = now(),
  paid_kobo = case when :isPaid then :amount else paid_kobo end,
  paid_currency = case when :isPaid then :currency else paid_currency end,
  paid_at = case when :isPaid then :paidAt else paid_at end,
  awaited_since = case when :isAwaited then coalesce(awaited_since, now()) end`;
const updatePayment = statement(
  { takes: transactionTypes, gives: {} },
  `update payments set ${SET_TRANSACTION} where reference = :reference`,
);

/** Stores what the provider reports about a payment. Safe to repeat. The caller has locked the payment. */
export async function recordTransaction(trx: Transaction, transaction: ProviderTransaction): Promise<void> {
  await updatePayment(trx, valuesOf(transaction));
}

const insertRefusal = statement(
  { takes: { reference: sqlType.text, attempt: sqlType.int, words: sqlType.text }, gives: {} },
  "insert into payment_refusals (reference, attempt, words) values (:reference, :attempt, :words) on conflict do nothing",
);

/**
 * Stores why the last attempt was declined, if the provider gives a reason. Safe to repeat: the provider reports the
 * same attempt at each check.
 */
export async function recordRefusal(trx: Transaction, { reference, refusal }: ProviderTransaction): Promise<void> {
  if (refusal) await insertRefusal(trx, { reference, ...refusal });
}

function valuesOf(transaction: ProviderTransaction) {
  const { state } = transaction;
  return { ...transaction, isPaid: state === "paid", isAwaited: state === "pending" };
}

// PostgreSQL runs the writing parts that no other part reads at the end, in reverse order. The update of the stock is
// the first of these parts, so it runs last, right before COMMIT, and a popular size is locked only briefly.
const insertSale = statementWithCommit(
  { takes: { ...transactionTypes, saleId: sqlType.text, fees: sqlType.orNull(sqlType.bigintFrom) }, gives: {} },
  `with paid as (
     update payments set state = 'paid', next_check_at = null, ${SET_TRANSACTION} where reference = :reference returning order_id, kobo
   ), sold_order as (
     update orders a set state = '${stateAfter("sell")}', updated_at = now(),
       user_id = coalesce(a.user_id, (select user_id from staff_orders where order_id = a.id))
     from paid where a.id = paid.order_id and ${isOneOfSql(statesThatAccept("sell"))}
     returning a.id, user_id, email, shipping, lines, ${SUM_COLUMNS}, rate, paid.kobo
   ), of_cart as (
     select user_id, lines from sold_order where not exists (select from staff_orders where order_id = sold_order.id)
   ), ${endReservationSql("(select id from sold_order)", "sold")}, ${takeOutPaidSql("of_cart")}, sale as (
     insert into sales (id, order_id, reference, user_id, email, shipping, ${SUM_COLUMNS}, rate, kobo, fees_kobo, created_at,
       packed_at, ready_at, fulfilled_at, delivered_at)
     select :saleId, id, :reference, user_id, email, shipping, ${SUM_COLUMNS}, rate, kobo, :fees, at, ${"handed_over, ".repeat(4).slice(0, -2)}
     from sold_order, (select clock_timestamp() as at) as moment,
       lateral (select case when shipping ? 'handedOver' then at end as handed_over) as handover
     returning id
   ), pieces as (
     insert into sale_lines (sale_id, product_id, title, color, size, quantity, price_cents, image, position)
     select sale.id, l.product_id, l.title, l.color, l.size, l.quantity, l.price_cents, l.image, l.position - 1
     from sale, sold_order, rows from (
       jsonb_to_recordset(lines) as
         ("productId" text, title text, color text, size text, quantity integer, "priceCents" integer, image jsonb)
     ) with ordinality as l(product_id, title, color, size, quantity, price_cents, image, position)
   )
   select case when not exists (select from sale) then refuse('not sold') end as refused`,
);

/**
 * Records the sale of a paid order, queues its confirmation mail and, for `payerEmail`, the receipt of whoever paid
 * instead of the shopper, and commits the transaction: no statement can follow. If the order cannot be sold, rolls back
 * and throws. Returns the sale's id.
 */
export async function recordSale(
  trx: Transaction,
  { order, payment }: Pick<LockedOrder, "order" | "payment">,
  transaction: ProviderTransaction,
): Promise<string> {
  const { reference } = transaction;
  const saleId = randomUUID();
  const pickup = await pickupCenter(trx, order.shipping.pickupCenter);
  const mail = orderMail(order, reference, env, pickup, new Date(), Number(payment.kobo));
  await queueMail(trx, {
    key: `sale:${saleId}`,
    recipient: order.email,
    kind: "order-confirmation",
    data: payment.payerEmail === null ? mail : { ...mail, isPaidByOther: true },
  });
  if (payment.payerEmail !== null)
    await queueMail(trx, {
      key: `sale-payer:${saleId}`,
      recipient: payment.payerEmail,
      kind: "payer-receipt",
      data: payerReceipt(mail),
      forgetRecipient: true,
    });
  await insertSale(trx, { ...valuesOf(transaction), saleId, fees: transaction.fees ?? null });
  return saleId;
}
