import type { Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statementWithCommit } from "#app/infra/database/statement.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { dollarText } from "#app/money/money.ts";
import { ALL_OFFERED, takeOffersSql, usesType } from "#app/offers/offers.server.ts";
import type { OfferUse } from "#app/offers/terms.ts";
import { AGREED_COLUMNS } from "#app/orders/lifecycle.server.ts";
import type { Basis } from "#app/orders/quote.server.ts";
import { ALL_RESERVED, reserveSql, unitsType } from "#app/orders/reservation.server.ts";
import { BEGINS_AS } from "#app/orders/state.ts";
import type { Sums } from "#app/orders/sums.ts";
import { HELD_FOR_PAYER, RESERVED_FOR } from "#app/orders/time-limits.ts";
import type { Units } from "#app/orders/units.ts";
import type { PaymentProvider } from "#app/payment-provider/contract.ts";
import { type DeliveryWay, type Destination, locationOf, type ShippingForm } from "#app/shipping/shipping.ts";
import { orderedWay } from "#app/shipping/ways/ways.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { insertPaymentSql, newReference, type Opening } from "./open.server.ts";

export type OrderRequest = {
  user: { id: string; emailVerified: boolean };
  form: ShippingForm;
  destination: Destination;
  /** The chosen way of delivery; absent for the standard one. */
  way?: DeliveryWay;
  currency: "NGN" | "USD";
  /** The provider that takes the money. Defaults to the checkout's. */
  provider?: PaymentProvider;
  /** The URL of the page that starts the payment, from the browser's Referer header. */
  referrer?: string;
  /** The charge that the shopper saw and agreed to; 0 if none was shown. Without it, any charge is accepted. */
  agreedKobo?: number;
  /** The subtotal that the shopper saw, in cents. Undefined if none was shown. */
  shownCents?: number;
  /** Whether the shopper wants the pieces although the shop has said that they are not reserved. */
  agreesToNoHold?: boolean;
  /** Whether the shopper wants to pay although the transfer of somebody else, by the shopper's link, is under way. */
  paysAnotherWay?: boolean;
  /** The link by which somebody else is to pay: its secret code, and what the shopper says to whoever pays. */
  payerLink?: { code: string; line: string };
};

/** The values that a new order is made of. */
export const ORDER_VALUES = {
  ...AGREED_COLUMNS,
  userId: sqlType.orNull(sqlType.text),
  kobo: sqlType.bigintFrom,
  reference: sqlType.text,
  provider: sqlType.text,
  mode: sqlType.text,
  held: unitsType,
  reservedFor: sqlType.duration,
};
/**
 * SQL parts that insert an order with its payment, which the statement `payment` inserts, and its reservation.
 * `created_at` is taken while the cart is locked, so that it is comparable with the times of the shopper's sales.
 */
export const newOrderSql = (payment: string) => `with new_order as (
     insert into orders (user_id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo,
       holds_stock, expires_at, created_at, trial)
     values (:userId, '${BEGINS_AS}', :cartVersion, :email, :shipping, :lines, :subtotalCents, :shippingCents, :totalCents, :rate, :rateAt, :kobo,
       :holdsStock, now() + :reservedFor::interval, clock_timestamp(),
       :mode = 'test' and exists (select from live_shop)) returning id, number, kobo, expires_at
   ), payment as (${payment}), ${reserveSql("new_order", ":held")}`;
const RESERVED = newOrderSql(insertPaymentSql(":reference", "new_order"));
/**
 * SQL that inserts a payment which is opened at the provider only when somebody pays. Until then there is nothing to
 * ask the provider, so the first check is at the end of the hold.
 */
export const UNOPENED_PAYMENT = `insert into payments (reference, order_id, state, kobo, provider, mode, next_check_at)
  select :reference, id, 'created', kobo, :provider, :mode, expires_at from new_order`;
const HELD_FOR_LINK = `${newOrderSql(UNOPENED_PAYMENT)}, link as (
     insert into payer_links (order_id, code_hash, line) select id, :codeHash, :line from new_order
   )`;
const LINK_VALUES = { codeHash: sqlType.bytes, line: sqlType.text };
const insertOrder = statementWithCommit(
  { takes: ORDER_VALUES, gives: { id: sqlType.uuid } },
  `${RESERVED} select id, ${ALL_RESERVED} from new_order`,
);
const insertLinkedOrder = statementWithCommit(
  { takes: { ...ORDER_VALUES, ...LINK_VALUES }, gives: { id: sqlType.uuid } },
  `${HELD_FOR_LINK} select id, ${ALL_RESERVED} from new_order`,
);
/**
 * An SQL expression for the shopper's marks: hashes of account, e-mail addresses and phone number, by which an offer
 * that counts once per shopper recognizes the shopper.
 */
const MARKS = `shopper_marks(:userId, :email, :shipping::jsonb ->> 'phoneNumber')
  || shopper_marks(null, (select email from users where id = :userId), null)`;
const insertOfferedOrder = statementWithCommit(
  { takes: { ...ORDER_VALUES, uses: usesType }, gives: { id: sqlType.uuid } },
  `${RESERVED}, ${takeOffersSql("new_order", ":uses", MARKS)} select id, ${ALL_RESERVED}, ${ALL_OFFERED} from new_order`,
);
const insertLinkedOfferedOrder = statementWithCommit(
  { takes: { ...ORDER_VALUES, ...LINK_VALUES, uses: usesType }, gives: { id: sqlType.uuid } },
  `${HELD_FOR_LINK}, ${takeOffersSql("new_order", ":uses", MARKS)} select id, ${ALL_RESERVED}, ${ALL_OFFERED} from new_order`,
);

/**
 * Inserts the order, its payment, its reservation, its uses of offers and, if it has one, its link for somebody else,
 * then commits the transaction: no statement can follow. If stock or offers are taken, rolls back and throws an
 * error for which `isStockTaken` is true.
 */
export async function addOrder(
  trx: Transaction,
  request: OrderRequest,
  cartVersion: string,
  lines: OrderLine[],
  held: Units[],
  sums: Sums,
  { rate, rateAt }: Basis,
  provider: PaymentProvider,
  uses: OfferUse[],
): Promise<Opening> {
  const { email } = request.form;
  const shipping = shippingDetails(request, sums);
  const reference = newReference();
  const values = {
    userId: request.user.id,
    cartVersion,
    email,
    shipping,
    lines,
    ...sums,
    rate: rateText(rate),
    rateAt,
    reference,
    provider: provider.description.id,
    mode: provider.mode(),
    held,
    holdsStock: held.length > 0,
    reservedFor: request.payerLink ? HELD_FOR_PAYER : RESERVED_FOR,
  };
  const [order] = await inserted(trx, values, uses, request.payerLink);
  if (!order) throw new Error("An inserted order has an id");
  return {
    reference,
    orderId: order.id,
    provider: provider.description.id,
    kobo: sums.kobo,
    email,
    lines,
    shipping,
    referrer: request.referrer,
  };
}

function inserted(
  trx: Transaction,
  values: Parameters<typeof insertOrder>[1],
  uses: OfferUse[],
  link: OrderRequest["payerLink"],
) {
  if (!link) return uses.length > 0 ? insertOfferedOrder(trx, { ...values, uses }) : insertOrder(trx, values);
  const linked = { ...values, codeHash: secretHash(link.code), line: link.line };
  return uses.length > 0 ? insertLinkedOfferedOrder(trx, { ...linked, uses }) : insertLinkedOrder(trx, linked);
}

/** The fields of the form as the order keeps them, with what the delivery costs. */
export function shippingDetails(
  { form, destination, way }: Pick<OrderRequest, "form" | "destination" | "way">,
  { shippingCents }: Sums,
): ShippingDetails {
  const cost = dollarText(shippingCents);
  const location = locationOf(destination, form.country);
  return {
    ...form,
    shippingCost: cost,
    shippingRate: cost,
    location,
    ...(way && { deliveryWay: orderedWay(way) }),
  };
}
