import { countUnits } from "#app/cart/cart.ts";
import { mostOfASize } from "#app/cart/limit.server.ts";
import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { env } from "#app/infra/env.server.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import { loadShippingRates, shippingCents } from "#app/shipping/rates.server.ts";
import { type Destination, destinationOf } from "#app/shipping/shipping.ts";
import type { OrderLine, ProductImage, ShippingDetails } from "#db/types.ts";
import { type Availability, availabilityOf, inStock, namedShortages } from "./reservation.server.ts";
import { IS_LIVE } from "./state.ts";
import { orderSums, type Sums } from "./sums.ts";
import { LAPSED_WITHIN } from "./time-limits.ts";
import type { NamedShortage } from "./units.ts";

/** What sums depend on beside the pieces. */
export type Basis = { rate: Rate; rateAt: Date; shippingCents: UsdCents };
/**
 * `short` is what the cart wants and cannot have: the lines are without it, as the cart shows them. `holdsStock`: the pieces would be
 * reserved while they are paid for.
 */
export type Quote = { lines: OrderLine[]; short: NamedShortage[]; sums: Sums; rate: Rate; holdsStock: boolean };

/** What the shopper's cart costs now, without delivery: a look, which reserves nothing. */
export async function quote(on: Db, userId: string): Promise<Quote> {
  const [cart, { rate }] = await Promise.all([readCart(on, userId), rateInForce(on)]);
  const lines = inStock(cart.lines, withinLimit(cart.availability));
  const short = namedShortages(cart.lines, withinLimit(cart.availability)).map((one) => ({
    ...one,
    ...(one.available < cart.availability(one) && { isLimit: true }),
  }));
  const sums = orderSums(lines, usdCents(0), rate);
  return { lines, short, sums, rate, holdsStock: mayHoldStock(lines, cart.lapsedOrders) };
}

/** What one order can have of a size: what is there, or the owner's limit where that is less. */
export function withinLimit(available: Availability): Availability {
  return (unit) => Math.min(available(unit), mostOfASize());
}

/** Undefined where the shop does not deliver. */
export async function readBasis(on: Db | Transaction, destination: Destination): Promise<Basis | undefined> {
  const [{ rate, at }, cents] = await Promise.all([rateInForce(on), shippingCents(on, destination)]);
  return cents === undefined ? undefined : { rate, rateAt: at, shippingCents: cents };
}

const pricesOf = statement(
  { takes: { ids: sqlType.textList() }, gives: { id: sqlType.text, priceCents: sqlType.int } },
  "select id, price_cents from products where id = any(:ids) and not hidden",
);

/** What an order's pieces cost today, delivered to the same place; undefined where the shop does not sell them any more, or not to there. */
export async function sumsToday(
  on: Db | Transaction,
  { lines, shipping }: { lines: OrderLine[]; shipping: ShippingDetails },
): Promise<Sums | undefined> {
  const destination = destinationOf(shipping, await loadShippingRates(on));
  const basis = destination && (await readBasis(on, destination));
  const ids = lines.map(({ productId }) => productId);
  const prices = new Map((await pricesOf(on, { ids })).map(({ id, priceCents }) => [id, priceCents]));
  const today = lines.flatMap(({ productId, quantity }) => {
    const priceCents = prices.get(productId);
    return priceCents === undefined ? [] : [{ priceCents, quantity }];
  });
  if (!basis || today.length < lines.length) return;
  return orderSums(today, basis.shippingCents, basis.rate);
}

/** A shopper with so many lapsed orders lately perhaps does not mean to pay. */
const MOST_LAPSED = 3;

/** A large order, and one of a shopper whose last ones lapsed, holds no stock: nobody empties the shelves without paying. */
export function mayHoldStock(lines: readonly { quantity: number }[], lapsedOrders: number): boolean {
  const pieces = countUnits(lines);
  return pieces <= env.HOLD_AT_MOST && lapsedOrders < MOST_LAPSED;
}

/** How the shopper's other orders stand; one that the provider never opened could not have been paid. */
type Standing = { hasLiveOrder: boolean; lapsedOrders: number };
const linesInCart = statement(
  {
    takes: { userId: sqlType.text, lapsedWithin: sqlType.duration },
    gives: {
      productId: sqlType.text,
      title: sqlType.text,
      color: sqlType.text,
      size: sqlType.text,
      quantity: sqlType.int,
      priceCents: sqlType.int,
      images: sqlType.json<ProductImage[]>(),
      finalSale: sqlType.bool,
      available: sqlType.int,
      hasLiveOrder: sqlType.bool,
      lapsedOrders: sqlType.int,
    },
  },
  `with own as (
     select product_id, size, sum(quantity) as held from reservations
     where order_id in (select id from orders where user_id = :userId and ${IS_LIVE}) group by product_id, size
   )
   select product_id, title, l.color, size, quantity, p.price_cents, images, final_sale,
     case when hidden then 0 else coalesce(s.on_hand - s.reserved, 0) + coalesce(held, 0) end::int as available,
     exists (select from orders where user_id = :userId and ${IS_LIVE}) as has_live_order, (
       select count(*)::int from orders a
       where user_id = :userId and state = 'released' and created_at > now() - :lapsedWithin::interval
         and exists (select from payments where order_id = a.id and access_code is not null)
     ) as lapsed_orders
   from cart_lines l join products p on p.id = product_id left join product_sizes s using (product_id, size)
     left join own using (product_id, size)
   where user_id = :userId order by added_at, product_id, size`,
);

/** `availability` is a first look, without a lock: another shopper may take what is there. */
export type ReadCart = { lines: OrderLine[]; availability: Availability } & Standing;

/** The cart as order lines at today's prices, in the order in which it was filled. */
export async function readCart(on: Db | Transaction, userId: string): Promise<ReadCart> {
  const rows = await linesInCart(on, { userId, lapsedWithin: LAPSED_WITHIN });
  const lines = rows.map(({ images, finalSale, available: _, hasLiveOrder: __, lapsedOrders: ___, ...line }) => ({
    ...line,
    image: images[0] ?? null,
    ...(finalSale && { finalSale }),
  }));
  const { hasLiveOrder = false, lapsedOrders = 0 } = rows[0] ?? {};
  return { lines, availability: availabilityOf(rows), hasLiveOrder, lapsedOrders };
}
