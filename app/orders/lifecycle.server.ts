import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql, type RowOf, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { savedSql, savedType } from "#app/shipping/address-book/book.server.ts";
import type { Saved } from "#app/shipping/address-book/book.ts";
import type { ShippingForm } from "#app/shipping/shipping.ts";
import type { Database, OrderedNumbers, OrderLine, ShippingDetails } from "#db/types.ts";
import { lockSizes, releaseReservation } from "./reservation.server.ts";
import { IS_LIVE, type OrderEvent, type OrderState, stateAfter, statesThatAccept } from "./state.ts";
import type { Units } from "./units.ts";

export type Payment = Pick<
  Selectable<Database["payments"]>,
  "reference" | "state" | "kobo" | "paidKobo" | "paidCurrency" | "payerEmail"
>;

const lockCartOf = statement(
  { takes: { userId: sqlType.text }, gives: { version: sqlType.bigint } },
  "select version from carts where user_id = :userId for update",
);

/**
 * Locks a shopper's cart. To avoid deadlocks, rows are locked in the same order everywhere: cart, payment, order,
 * sizes. The cart comes first, so that all changes to one shopper's orders happen one after the other.
 */
export async function lockCart(trx: Transaction, userId: string): Promise<{ version: string } | undefined> {
  const [cart] = await lockCartOf(trx, { userId });
  return cart;
}

const lockCartOfPayment = statement(
  { takes: { reference: sqlType.text }, gives: { version: sqlType.bigint } },
  `select version from carts where user_id = (
     select a.user_id from payments p join orders a on a.id = p.order_id where p.reference = :reference
   ) for update`,
);

/** The columns of `orders` that are fixed when an order is made, but for its address and, in its lines, the sizes. */
export const AGREED_COLUMNS = {
  cartVersion: sqlType.bigint,
  email: sqlType.text,
  shipping: sqlType.json<ShippingDetails>(),
  lines: sqlType.json<OrderLine[]>(),
  subtotalCents: sqlType.int,
  shippingCents: sqlType.int,
  totalCents: sqlType.int,
  rate: sqlType.numeric,
  rateAt: sqlType.time,
  holdsStock: sqlType.bool,
};
const order = {
  ...AGREED_COLUMNS,
  id: sqlType.uuid,
  number: sqlType.text,
  userId: sqlType.orNull(sqlType.text),
  state: sqlType.textOf<OrderState>(),
  kobo: sqlType.bigint,
  expiresAt: sqlType.time,
  releasedAt: sqlType.orNull(sqlType.time),
  createdAt: sqlType.time,
  updatedAt: sqlType.time,
  trial: sqlType.bool,
  numbers: sqlType.orNull(sqlType.json<OrderedNumbers>()),
};
export type Order = RowOf<typeof order>;
const ORDER_COLUMNS = `a.id, a.number, a.user_id, a.state, a.cart_version, a.email, a.shipping, a.lines, a.subtotal_cents, a.shipping_cents,
  a.total_cents, a.rate, a.rate_at, a.kobo, a.holds_stock, a.expires_at, a.released_at, a.created_at, a.updated_at, a.trial, a.numbers`;

/**
 * A condition in SQL: whether an order is the shopper's, who is known by the expression `userId`. An order that staff
 * put together has a `user_id` only from its sale or refund on.
 */
export const isOfSql = (orders: string, userId: string) => `(${orders}.user_id = ${userId} or ${orders}.user_id is null
  and exists (select from staff_orders own where own.order_id = ${orders}.id and own.user_id = ${userId}))`;

/**
 * A condition in SQL: whether the shopper of the order `a` has bought by checkout since. An order that staff put
 * together stands beside the cart's orders and makes none of them a second charge.
 */
export const HAS_BOUGHT_SINCE = `exists (select from sales since where since.user_id = a.user_id
  and since.created_at >= a.created_at and not exists (select from staff_orders own where own.order_id = since.order_id))`;

/** A condition in SQL: whether the shopper of the order `a` has made a link by which somebody else pays it. */
const HAS_PAYER_LINK = "exists (select from payer_links where order_id = a.id)";

const lockPayment = statement(
  {
    takes: { reference: sqlType.text },
    gives: {
      ...order,
      paymentState: sqlType.textOf<Payment["state"]>(),
      paymentKobo: sqlType.bigint,
      paidKobo: sqlType.orNull(sqlType.bigint),
      paidCurrency: sqlType.orNull(sqlType.text),
      payerEmail: sqlType.orNull(sqlType.text),
      hasBoughtSince: sqlType.bool,
      byStaff: sqlType.bool,
      byPayerLink: sqlType.bool,
    },
  },
  `select ${ORDER_COLUMNS}, p.state as payment_state, p.kobo as payment_kobo, p.paid_kobo, p.paid_currency, p.payer_email,
     ${HAS_BOUGHT_SINCE} as has_bought_since, exists (select from staff_orders where order_id = a.id) as by_staff,
     ${HAS_PAYER_LINK} as by_payer_link
   from payments p join orders a on a.id = p.order_id where p.reference = :reference for update of p, a`,
);

/**
 * `hasBoughtSince`: whether the shopper has a sale that is newer than the order. The cart must be locked in an earlier
 * statement, or the query could miss a sale that is just being committed. `byStaff`: whether staff put the order
 * together; it is then from no cart. `byPayerLink`: whether it is held for somebody else who pays by a link.
 */
export type LockedOrder = {
  payment: Payment;
  order: Order;
  hasBoughtSince: boolean;
  byStaff: boolean;
  byPayerLink: boolean;
};

/** Locks the shopper's cart, then a payment and its order. */
export async function lockOrder(trx: Transaction, reference: string): Promise<LockedOrder> {
  await lockCartOfPayment(trx, { reference });
  const [row] = await lockPayment(trx, { reference });
  if (!row) throw new Error(`There is no payment ${reference}`);
  const { paymentState: state, paymentKobo: kobo, paidKobo, paidCurrency, payerEmail, ...rest } = row;
  const { hasBoughtSince, byStaff, byPayerLink, ...order } = rest;
  const payment = { reference, state, kobo, paidKobo, paidCurrency, payerEmail };
  return { payment, order, hasBoughtSince, byStaff, byPayerLink };
}

const liveOrder = { ...order, expired: sqlType.bool, provider: sqlType.text, byPayerLink: sqlType.bool };
/** `provider` is that of the order's newest payment. */
export type LiveOrder = RowOf<typeof liveOrder>;

const lockLive = statement(
  { takes: { userId: sqlType.text }, gives: liveOrder },
  `select ${ORDER_COLUMNS}, a.expires_at <= now() as expired,
     (select provider from payments p where p.order_id = a.id order by p.created_at desc limit 1) as provider,
     ${HAS_PAYER_LINK} as by_payer_link
   from orders a where a.user_id = :userId and a.${IS_LIVE} for update`,
);

/** The shopper's live order, locked. The caller has locked the cart. */
export async function lockLiveOrder(trx: Transaction, userId: string): Promise<LiveOrder | undefined> {
  const [live] = await lockLive(trx, { userId });
  return live;
}

/** Without those handed over at a stall, which is no address of the shopper's. */
const LAST_SHIPPING = `select shipping from orders where user_id = :userId and not shipping ? 'handedOver'
  order by created_at desc limit 1`;
const shippingOfLast = statement(
  { takes: { userId: sqlType.text }, gives: { shipping: order.shipping } },
  LAST_SHIPPING,
);
/** The shipping form of an order, with the id of its way of delivery. */
export type LastShipping = ShippingForm & { deliveryWay?: string };

/**
 * The shipping form of the shopper's last order, paid or not, with the id of its way of delivery: the default of the
 * next order's form, also after a return from the provider's page. Only the shopper may see it.
 */
export async function lastShipping(on: Db, userId: string): Promise<LastShipping | undefined> {
  const [last] = await shippingOfLast(on, { userId });
  return last && formWithWay(last.shipping);
}

const lastAndSaved = statement(
  { takes: { userId: sqlType.text }, gives: { last: sqlType.orNull(order.shipping), saved: savedType } },
  `select (${LAST_SHIPPING}) as last, ${savedSql(":userId")} as saved`,
);

/** What may fill in the shopper's checkout: the last order's form, as in `lastShipping`, and the saved addresses. */
export async function knownShipping(on: Db, userId: string): Promise<{ last?: LastShipping; saved: Saved[] }> {
  const [known] = await lastAndSaved(on, { userId });
  return { ...(known?.last && { last: formWithWay(known.last) }), saved: known?.saved ?? [] };
}

function formWithWay(shipping: ShippingDetails): LastShipping {
  const way = shipping.deliveryWay;
  return { ...formOf(shipping), ...(way && { deliveryWay: way.id }) };
}

/** The fields of the shopper's form, without the fields that the shop adds. */
export function formOf(shipping: ShippingDetails): ShippingForm {
  const { shippingCost: _, shippingRate: __, location: ___, deliveryWay: ____, ...form } = shipping;
  return form;
}

const move = statement(
  {
    takes: { id: sqlType.uuid, to: sqlType.textOf<OrderState>(), from: sqlType.textList<OrderState>() },
    gives: { id: sqlType.uuid },
  },
  `update orders set state = :to, released_at = case :to when '${stateAfter("release")}' then now() else released_at end, updated_at = now(),
     user_id = case when :to in ('${stateAfter("refund")}', '${stateAfter("refunded")}') then coalesce(user_id, (select user_id from staff_orders where order_id = :id)) else user_id end
   where id = :id and state = any(:from) returning id`,
);

/** Moves an order to the state after `event` (see state.ts). Returns false if its state does not accept the event. */
export async function moveOrder(trx: Transaction, id: string, event: OrderEvent): Promise<boolean> {
  const moved = await move(trx, { id, to: stateAfter(event), from: statesThatAccept(event) });
  return moved.length === 1;
}

/**
 * Ends a live order and releases its stock. Does nothing to any other order. If it is paid later, settlement decides
 * what happens.
 */
export async function releaseOrder(trx: Transaction, id: string): Promise<void> {
  if (await moveOrder(trx, id, "release")) await releaseReservation(trx, id);
}

/** Locks the sizes that a shopper's next order needs, then releases the shopper's live order. */
export async function makeRoom(trx: Transaction, units: readonly Units[], live: Order): Promise<void> {
  await lockSizes(trx, [...units, ...live.lines]); // in one statement, to keep the fixed lock order
  await releaseOrder(trx, live.id);
}

/** Releases a live order that expired at least `grace` milliseconds ago. */
export async function releaseExpired(trx: Transaction, id: string, grace = 0): Promise<void> {
  const expired = await trx
    .selectFrom("orders")
    .select("id")
    .where("id", "=", id)
    .where(sql<boolean>`expires_at + ${millisecondsSql(grace)} <= now()`)
    .executeTakeFirst();
  if (expired) await releaseOrder(trx, id);
}
