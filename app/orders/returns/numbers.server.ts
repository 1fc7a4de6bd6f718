import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { type Numbers, type OrderNumbers, orderNumbers, ownNumbers } from "#app/numbers/numbers.ts";

/** An SQL expression: the numbers of an order's day and those in force, which `orderNumbers` puts together. */
export const NUMBERS_TEXT = "jsonb_build_array(orders.numbers, shop_numbers())";
export const NUMBERS = sql.raw<OrderNumbers>(NUMBERS_TEXT);

/** The numbers that hold for the order of a payment. Undefined if they are those that the shop comes with. */
export async function numbersOf(on: Db | Transaction, reference: string): Promise<Numbers | undefined> {
  const row = await on
    .selectFrom("orders")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select(NUMBERS.as("numbers"))
    .where("payments.reference", "=", reference)
    .executeTakeFirst();
  return row && ownNumbers(orderNumbers(row.numbers));
}
