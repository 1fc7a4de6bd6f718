import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { pickupCenter } from "#app/shipping/rates.server.ts";
import type { SoldOrder } from "./document.ts";
import { progressNow } from "./fulfilment/now.server.ts";
import { isStillHere, stageOf } from "./fulfilment/progress.ts";
import { HAS_PIECES_LEFT } from "./pieces-left.server.ts";
import { RETURNS_OF_SALE } from "./returns/rows.server.ts";
import { type OrderRefund, type OrderView, statusOf } from "./view.ts";

/** A shopper's orders, the newest first: what was sold, and what has money on its way here or back. */
export async function listOrders(on: Db, userId: string): Promise<OrderView[]> {
  const rows = await ordersOf(on, userId)
    .where("orders.state", "in", ["sold", "waiting", "refunding", "refunded"])
    .orderBy("orders.createdAt", "desc")
    .execute();
  return Promise.all(rows.map((row) => toOrder(on, row)));
}

/** An order by the reference of any of its payments; undefined when it is not this shopper's. */
export async function getOrder(on: Db, userId: string, reference: string): Promise<OrderView | undefined> {
  const row = await ordersOf(on, userId)
    .where("orders.id", "=", (eb) =>
      eb.selectFrom("payments").select("orderId").where("payments.reference", "=", reference),
    )
    .executeTakeFirst();
  return row && toOrder(on, row);
}

/** What an order is called: by the payment that made its sale, else by the newest one. */
export const NEWEST_REFERENCE = sql<string>`coalesce(sales.reference, (
  select reference from payments where order_id = orders.id order by created_at desc limit 1))`;

/** What of a sale's money has gone back or is on its way, the oldest first. */
const REFUNDS_OF_SALE = sql<OrderRefund[]>`coalesce((
  select jsonb_agg(jsonb_build_object('kobo', kobo, 'isDone', state = 'done', 'pieces', pieces, 'withShipping', with_shipping, 'at', updated_at) order by created_at)
  from refunds where refunds.reference = sales.reference and state in ('open', 'sent', 'done')), '[]')`;

/** A sale that has moved in from another shop: its mail went out there. */
export const IS_MOVED_IN = sql<boolean>`exists (select from outbox where idempotency_key = 'sale:' || sales.id and kind = 'moved-in')`;

function ordersOf(on: Db, userId: string) {
  return on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .select(["state", "lines", "orders.shipping", "orders.email", "orders.subtotalCents", "orders.shippingCents"])
    .select(["orders.totalCents", "orders.rate", "rateAt", "orders.kobo", "orders.createdAt"])
    .select(["orders.number", "sales.packedAt", "sales.fulfilledAt", "sales.carrier", "sales.tracking"])
    .select(["sales.readyAt", "sales.deliveredAt", "sales.returnedAt", "sales.greetingDismissedAt"])
    .select([
      "sales.importedStatus",
      "sales.id as saleId",
      "sales.createdAt as soldAt",
      NEWEST_REFERENCE.as("reference"),
      REFUNDS_OF_SALE.as("refunds"),
      RETURNS_OF_SALE.as("returns"),
      IS_MOVED_IN.as("isMovedIn"),
      HAS_PIECES_LEFT.as("hasPieces"),
    ])
    .where("orders.userId", "=", userId);
}

type Row = Awaited<ReturnType<ReturnType<typeof ordersOf>["execute"]>>[number];

async function toOrder(
  on: Db,
  { createdAt, soldAt, kobo, importedStatus, isMovedIn, hasPieces, greetingDismissedAt, ...row }: Row,
): Promise<OrderView> {
  const order = { ...row, kobo: Number(kobo), orderedAt: soldAt ?? createdAt };
  const isSold = row.state === "sold";
  const isKnown = isSold && !(isMovedIn && stageOf(order) === "paid");
  const staysHere = isSold && !hasPieces && isStillHere(order);
  return {
    ...order,
    pickup: await pickupCenter(on, row.shipping.pickupCenter),
    status: statusOf(row.state, importedStatus),
    progress: isKnown && !staysHere ? progressNow(order) : null,
    staysHere,
    isNew: isSold && !staysHere && greetingDismissedAt === null,
  };
}

/** Sold orders with everything that the specification's Sale needs, the oldest first; of one shopper or of all. */
export async function listSold(on: Db, userId?: string): Promise<SoldOrder[]> {
  const rows = await on
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .innerJoin("payments", "payments.reference", "sales.reference")
    .selectAll("sales")
    .select(["orders.lines", "payments.paidAt", REFUNDS_OF_SALE.as("refunds")])
    .$if(userId !== undefined, (query) => query.where("sales.userId", "=", userId as string))
    .orderBy("sales.createdAt")
    .execute();
  return rows.map(({ id, createdAt, paidAt, kobo, ...row }) => ({
    ...row,
    saleId: id,
    kobo: Number(kobo),
    paidAt: paidAt ?? createdAt,
    soldAt: createdAt,
  }));
}
