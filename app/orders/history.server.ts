import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { type OrderNumbers, orderNumbers, ownNumbers } from "#app/numbers/numbers.ts";
import { trackingUrlOf } from "#app/shipping/carriers/carriers.server.ts";
import { pickupCenter } from "#app/shipping/rates.server.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import type { StoredSale } from "./document.ts";
import { progressNow } from "./fulfilment/now.server.ts";
import { isStillHere, isToHandOver, stageOf } from "./fulfilment/progress.ts";
import { HANDOVER_CODE_TEXT } from "./handover/handover.server.ts";
import { isOfSql } from "./lifecycle.server.ts";
import { HAS_PIECES_LEFT } from "./pieces-left.server.ts";
import { NUMBERS, NUMBERS_TEXT } from "./returns/numbers.server.ts";
import { RETURNS_OF_SALE } from "./returns/rows.server.ts";
import type { OrderState } from "./state.ts";
import { type OrderRefund, type OrderView, statusOf } from "./view.ts";

/** Orders per page of an account. */
const ORDERS_A_PAGE = 20;

/** One page of a shopper's orders, with pages counted from 1, and whether there are older ones. */
export async function pageOfOrders(
  on: Db,
  userId: string,
  page: number,
): Promise<{ orders: OrderView[]; hasOlder: boolean }> {
  const from = (page - 1) * ORDERS_A_PAGE;
  const orders = await listOrders(on, userId, { from, most: ORDERS_A_PAGE + 1 });
  return { orders: orders.slice(0, ORDERS_A_PAGE), hasOlder: orders.length > ORDERS_A_PAGE };
}

/** A shopper's orders, newest first, or a part of them: sales, pending transfers and refunds. */
export async function listOrders(on: Db, userId: string, part?: { from: number; most: number }): Promise<OrderView[]> {
  const rows = await ordersOf(on, userId)
    .where("orders.state", "in", ["sold", "waiting", "refunding", "refunded"])
    .orderBy("orders.createdAt", "desc")
    .orderBy("orders.id", "desc")
    .$if(part !== undefined, (query) => query.offset(part?.from ?? 0).limit(part?.most ?? 0))
    .execute();
  return Promise.all(rows.map((row) => toOrder(on, row)));
}

/** An order by the reference of any of its payments. Undefined if it is not this shopper's. */
export async function getOrder(on: Db, userId: string, reference: string): Promise<OrderView | undefined> {
  const [usual] = await usualOrder(on, { userId, reference });
  const row = usual
    ? { ...usual, refunds: [], returns: [], isMovedIn: false, hasPieces: usual.lines.length > 0 }
    : await ordersOf(on, userId)
        .select(sql.raw<string | null>(HANDOVER_CODE_TEXT).as("handoverCode"))
        .select(sql.raw<boolean>(HAS_OTHER_SIZE_TEXT).as("hasOtherSize"))
        .where("orders.id", "=", (eb) =>
          eb.selectFrom("payments").select("orderId").where("payments.reference", "=", reference),
        )
        .executeTakeFirst();
  if (!row) return;
  const { handoverCode, hasOtherSize, ...stored } = row;
  const order = {
    ...(await toOrder(on, stored)),
    trackingUrl: await trackingUrlOf(on, stored),
    ...(hasOtherSize && { hasOtherSize: true as const }),
  };
  const isPickUp = order.shipping.pickupCenter !== "";
  const isShown = handoverCode !== null && order.progress && isToHandOver({ stage: order.progress.stage, isPickUp });
  return isShown ? { ...order, handoverCode } : order;
}

/** Whether another size of a product in the order is in stock; false before it is paid, and once it is packed. */
const HAS_OTHER_SIZE_TEXT = `(sales.id is not null and sales.packed_at is null and exists (
  select from jsonb_to_recordset(orders.lines) as line("productId" text, size text)
  join product_sizes other on other.product_id = line."productId" and other.size <> line.size and other.on_hand > other.reserved))`;

const NEWEST_REFERENCE_TEXT = `coalesce(sales.reference, (
  select reference from payments where order_id = orders.id order by created_at desc limit 1))`;
/** An order's reference: that of the payment that made its sale, otherwise of the newest payment. */
export const NEWEST_REFERENCE = sql.raw<string>(NEWEST_REFERENCE_TEXT);

/**
 * A faster query for the usual order, one that was made in this shop and has no refunds or returns. It leaves out the
 * columns of `ordersOf` that only other orders need.
 */
const usualOrder = statement(
  {
    takes: { userId: sqlType.text, reference: sqlType.text },
    gives: {
      state: sqlType.textOf<OrderState>(),
      lines: sqlType.json<OrderLine[]>(),
      shipping: sqlType.json<ShippingDetails>(),
      email: sqlType.text,
      subtotalCents: sqlType.int,
      shippingCents: sqlType.int,
      totalCents: sqlType.int,
      rate: sqlType.numeric,
      rateAt: sqlType.time,
      kobo: sqlType.bigint,
      roundedKobo: sqlType.bigint,
      createdAt: sqlType.time,
      number: sqlType.text,
      packedAt: sqlType.orNull(sqlType.time),
      fulfilledAt: sqlType.orNull(sqlType.time),
      carrier: sqlType.orNull(sqlType.text),
      tracking: sqlType.orNull(sqlType.text),
      readyAt: sqlType.orNull(sqlType.time),
      deliveredAt: sqlType.orNull(sqlType.time),
      returnedAt: sqlType.orNull(sqlType.time),
      greetingDismissedAt: sqlType.orNull(sqlType.time),
      importedStatus: sqlType.orNull(sqlType.text),
      saleId: sqlType.orNull(sqlType.text),
      soldAt: sqlType.orNull(sqlType.time),
      reference: sqlType.text,
      handoverCode: sqlType.orNull(sqlType.text),
      hasOtherSize: sqlType.bool,
      numbers: sqlType.json<OrderNumbers>(),
    },
  },
  `select orders.state, lines, orders.shipping, orders.email, orders.subtotal_cents, orders.shipping_cents,
     orders.total_cents, orders.rate, rate_at, coalesce(sales.kobo, orders.kobo) as kobo,
     orders.kobo - coalesce(sales.kobo, orders.kobo) as rounded_kobo, orders.created_at, orders.number,
     packed_at, fulfilled_at, carrier, tracking, ready_at, delivered_at, returned_at, greeting_dismissed_at,
     imported_status, sales.id as sale_id, sales.created_at as sold_at, ${NEWEST_REFERENCE_TEXT} as reference,
     ${HANDOVER_CODE_TEXT} as handover_code, ${HAS_OTHER_SIZE_TEXT} as has_other_size, ${NUMBERS_TEXT} as numbers
   from payments asked join orders on orders.id = asked.order_id left join sales on sales.order_id = orders.id
   where asked.reference = :reference and ${isOfSql("orders", ":userId")} and not trial and cart_version > 0
     and not exists (select from refunds where refunds.reference = sales.reference)
     and not exists (select from returns where returns.reference = sales.reference)`,
);

/** A sale's refunds, done or under way, oldest first. */
const REFUNDS_OF_SALE = sql<OrderRefund[]>`coalesce((
  select jsonb_agg(jsonb_build_object('kobo', kobo, 'isDone', state = 'done', 'pieces', pieces, 'withShipping', with_shipping, 'at', updated_at) order by created_at)
  from refunds where refunds.reference = sales.reference and state in ('open', 'sent', 'done')), '[]')`;

/** Whether a sale was imported from another shop, which had sent its confirmation mail. */
export const IS_MOVED_IN = sql<boolean>`exists (select from outbox where idempotency_key = 'sale:' || sales.id and kind = 'moved-in')`;

function ordersOf(on: Db, userId: string) {
  return on
    .selectFrom("orders")
    .leftJoin("sales", "sales.orderId", "orders.id")
    .select(["state", "lines", "orders.shipping", "orders.email", "orders.subtotalCents", "orders.shippingCents"])
    .select(["orders.totalCents", "orders.rate", "rateAt", "orders.createdAt"])
    .select(sql<string>`coalesce(sales.kobo, orders.kobo)`.as("kobo"))
    .select(sql<string>`orders.kobo - coalesce(sales.kobo, orders.kobo)`.as("roundedKobo"))
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
      NUMBERS.as("numbers"),
    ])
    .where("orders.trial", "=", false)
    .where("orders.userId", "=", userId);
}

type Row = Awaited<ReturnType<ReturnType<typeof ordersOf>["execute"]>>[number];

async function toOrder(
  on: Db,
  {
    createdAt,
    soldAt,
    kobo,
    roundedKobo,
    importedStatus,
    isMovedIn,
    hasPieces,
    greetingDismissedAt,
    numbers,
    ...row
  }: Row,
): Promise<OrderView> {
  const order = { ...row, kobo: Number(kobo), orderedAt: soldAt ?? createdAt };
  const isSold = row.state === "sold";
  const isKnown = isSold && !(isMovedIn && stageOf(order) === "paid");
  const staysHere = isSold && !hasPieces && isStillHere(order);
  const own = ownNumbers(orderNumbers(numbers));
  return {
    ...order,
    ...(Number(roundedKobo) > 0 && { roundedKobo: Number(roundedKobo) }),
    ...(own && { numbers: own }),
    pickup: await pickupCenter(on, row.shipping.pickupCenter),
    status: statusOf(row.state, importedStatus),
    progress: isKnown && !staysHere ? progressNow({ ...order, numbers: own }) : null,
    staysHere,
    isNew: isSold && !staysHere && greetingDismissedAt === null,
  };
}

/** Sold orders for real money, with all data of the specification's Sale, oldest first: of one shopper or of all. */
export async function listSold(on: Db, userId?: string): Promise<StoredSale[]> {
  const rows = await on
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .innerJoin("payments", "payments.reference", "sales.reference")
    .selectAll("sales")
    .select(["orders.lines", "payments.paidAt", "payments.provider", REFUNDS_OF_SALE.as("refunds")])
    .where("orders.trial", "=", false)
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
