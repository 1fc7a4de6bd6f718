import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { isOneOfSql, type OrderState } from "../state.ts";

/**
 * Makes the account that has proved the order's address the order's customer, if the order has none. For payments by
 * hand, which may come without the link ever being opened.
 */
export async function claimForAccount(trx: Transaction, orderId: string): Promise<void> {
  await sql`
    update staff_orders set user_id = users.id from users
    where order_id = ${orderId} and user_id is null and users.email = staff_orders.email and email_verified
  `.execute(trx);
}

/** The states in which an order that staff put together has a `user_id` (see `isOfSql`). */
const PAID: readonly OrderState[] = ["sold", "refunding", "refunded"];

/**
 * Makes an account the customer of the orders that staff put together for its address before the address was proved:
 * those paid by hand are then among its orders, and the others are its to pay. Does nothing unless the address is
 * proved. Locks the orders first, as a payment does: one that is being recorded or settled is claimed here or by it.
 * Orders of a trial that has ended stay nobody's.
 */
export async function claimForAddress(trx: Transaction, userId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select orders.id from staff_orders join users using (email) join orders on orders.id = order_id
    where users.id = ${userId} and email_verified and staff_orders.user_id is null and not orders.trial
    for update of orders
  `.execute(trx);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await sql`
    with claimed as (
      update staff_orders set user_id = ${userId} where order_id = any(${ids}::uuid[]) and user_id is null
      returning order_id
    ), paid as (
      update orders set user_id = ${userId} from claimed
      where orders.id = order_id and orders.user_id is null and ${sql.raw(isOneOfSql(PAID))}
      returning orders.id
    )
    update sales set user_id = ${userId} from paid where sales.order_id = paid.id and sales.user_id is null
  `.execute(trx);
}

/**
 * Moves an order that staff put together, and that has no account, to a corrected address: the account that has proved
 * the address, or proves it later, becomes its customer, and that of the former address no longer does. The caller has
 * locked the order.
 */
export async function moveToAddress(trx: Transaction, orderId: string, typed: string): Promise<void> {
  const email = normalizeEmail(typed);
  const moved = await trx
    .updateTable("staffOrders")
    .set({ email })
    .where("orderId", "=", orderId)
    .where("userId", "is", null)
    .where("email", "!=", email)
    .executeTakeFirst();
  if (moved.numUpdatedRows === 0n) return;
  // Locked, so that an account whose address is being proved finds the order here or in its own transaction.
  const user = await trx
    .selectFrom("users")
    .select("id")
    .where("email", "=", email)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user) await claimForAddress(trx, user.id);
}
