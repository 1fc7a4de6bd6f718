import { sql } from "kysely";
import type { Deleted } from "#app/customer-data/delete-customer.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { eraseRecipients, NO_ADDRESS } from "#app/infra/mail.server.ts";
import { anonymizeOrders, openOf } from "#app/orders/forget-buyer.server.ts";
import { NEWEST_REFERENCE } from "#app/orders/history.server.ts";
import { localPhone, plainPhone } from "#app/shipping/phone.ts";
import { isNigeria } from "#app/shipping/shipping.ts";
import type { ShippingDetails } from "#db/types.ts";
import { searchOrders, wordsQuery } from "../orders/search.server.ts";

// Customers who have neither an account nor an email address, as at a stall, are known by their phone number.

/** A phone number as it is compared, without separators, a Nigerian one in its local form. Undefined if it is none. */
export function readPhone(text: string): string | undefined {
  const phone = localPhone(plainPhone(text));
  return /^(?:\+\d{6,15}|\d{9,15})$/.test(phone) ? phone : undefined;
}

/** An order's number in the same form. One of another country is compared as it was written. */
function phoneOf({ country, phoneNumber }: ShippingDetails): string {
  const phone = plainPhone(phoneNumber);
  return country === "" || isNigeria(country) ? localPhone(phone) : phone;
}

/** The customer with this phone number and their orders, newest first. Undefined if there is none. */
export async function viewByPhone(on: Db, typed: string) {
  const phone = readPhone(typed);
  const found = phone === undefined ? [] : await ordersOf(on, phone);
  if (phone === undefined || found.length === 0) return;
  const numbers = found.map(({ number }) => number);
  const [orders, open] = await Promise.all([
    searchOrders(on, { view: "all", numbers }),
    openOf(
      on,
      found.map(({ id }) => id),
    ),
  ]);
  return { phone, count: found.length, orders: orders.rows, open };
}

/**
 * Removes all personal data of the customer with this phone number from their orders, as deleting an account does.
 * Nothing is removed while a payment, refund or return is open, or a paid order has not been sent.
 */
export function forgetByPhone(on: Db, by: Actor, typed: string): Promise<Deleted> {
  return retryingTransaction(on, async (trx): Promise<Deleted> => {
    const phone = readPhone(typed);
    const found = phone === undefined ? [] : await ordersOf(trx, phone);
    if (found.length === 0) return { ok: false, why: "unknown" };
    const ids = found.map(({ id }) => id);
    const { underWay, returning, unsent } = await openOf(trx, ids);
    if (underWay.length > 0) return { ok: false, why: "money-under-way", orders: underWay };
    if (returning.length > 0) return { ok: false, why: "return-open", orders: returning };
    if (unsent.length > 0) return { ok: false, why: "unsent", orders: unsent };
    await sql`delete from staff_orders where order_id = any(${ids}::uuid[])`.execute(trx);
    await eraseRecipients(trx, NO_ADDRESS, await anonymizeOrders(trx, ids, NO_ADDRESS));
    for (const { number, reference } of found)
      await recordChange(trx, {
        by,
        action: "customers delete",
        subject: { kind: "order", id: reference },
        after: { number },
      });
    return { ok: true };
  });
}

/** The orders of the phone number, the oldest first. Within a transaction, they and their payments are locked. */
async function ordersOf(on: Db | Transaction, phone: string) {
  const rows = await on
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select(["orders.id"])
    .where("orders.userId", "is", null)
    .where("orders.email", "=", NO_ADDRESS)
    .where(sql<boolean>`orders.words @@ ${wordsQuery(phone)}::tsquery`)
    .$if(on.isTransaction, (query) => query.forUpdate(["payments", "orders"]))
    .execute();
  if (rows.length === 0) return [];
  const found = await on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .select(["orders.id", "number", "orders.shipping", NEWEST_REFERENCE.as("reference")])
    .where(sql<boolean>`orders.id = any(${rows.map(({ id }) => id)}::uuid[])`)
    .where("orders.userId", "is", null)
    .where("orders.email", "=", NO_ADDRESS)
    .orderBy("orders.createdAt")
    .execute();
  return found.filter(({ shipping }) => phoneOf(shipping) === phone);
}
