import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { codeHashOf } from "#app/infra/secrets/link-code.server.ts";
import { NEWEST_REFERENCE } from "#app/orders/history.server.ts";

/** The URL of a link, which staff send. */
export function linkOf(code: string): string {
  return new URL(`/pay/${code}`, env.publicUrl).href;
}

/** The reference of the order's pending transfer, as the provider last reported; null if there is none. */
const AWAITED = sql<string | null>`(
  select reference from payments
  where order_id = orders.id and payments.state = 'pending' and awaited_since is not null
  order by payments.created_at limit 1)`;

/** The columns of an order that a link opens, joined as `orders`. */
export const LINKED_ORDER = [
  "orders.id",
  "orders.number",
  "orders.state",
  "orders.lines",
  "orders.subtotalCents",
  "orders.shippingCents",
  "orders.totalCents",
  "orders.rate",
  "orders.kobo",
  "orders.expiresAt",
  sql<boolean>`orders.expires_at <= now()`.as("isOver"),
  AWAITED.as("awaited"),
] as const;

/** The order of a link. Undefined for an unknown code, and for one that was replaced. */
export async function readLink(on: Db, code: string) {
  const codeHash = codeHashOf(code);
  if (!codeHash) return;
  return on
    .selectFrom("staffOrders")
    .innerJoin("orders", "orders.id", "staffOrders.orderId")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .select(LINKED_ORDER)
    .select(["orders.shipping", "staffOrders.userId as buyer", "staffOrders.email as recipient"])
    .select(NEWEST_REFERENCE.as("reference"))
    .where("codeHash", "=", codeHash)
    .where("orders.trial", "=", false)
    .executeTakeFirst();
}

type Visitor = { id: string; email: string; emailVerified: boolean };

/**
 * Whether a visitor may see where the order goes, and pay it: the customer, or if staff knew no account, whoever has
 * proved the address.
 */
export function isForVisitor({ buyer, recipient }: { buyer: string | null; recipient: string }, visitor: Visitor) {
  return buyer === null ? visitor.emailVerified && visitor.email === recipient : visitor.id === buyer;
}

/** Makes the visitor the order's customer, if it has none. Returns false if it is somebody else's. */
export async function claimOrder(on: Db, orderId: string, visitor: Visitor): Promise<boolean> {
  if (!visitor.emailVerified) return false;
  const claimed = await on
    .updateTable("staffOrders")
    .set({ userId: visitor.id })
    .where("orderId", "=", orderId)
    .where(({ or, and, eb }) =>
      or([eb("userId", "=", visitor.id), and([eb("userId", "is", null), eb("email", "=", visitor.email)])]),
    )
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}

/** Whether a payment is for an order that staff put together, which is paid by its link and not at the checkout. */
export async function isByLink(on: Db, reference: string): Promise<boolean> {
  const found = await on
    .selectFrom("payments")
    .innerJoin("staffOrders", "staffOrders.orderId", "payments.orderId")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst();
  return found !== undefined;
}
