import { countUnits } from "#app/cart/cart.ts";
import { mostOfASize } from "#app/cart/limit.server.ts";
import { inForceSql, priceAtSql } from "#app/catalog/prices/in-force.server.ts";
import { inForce, type RateInForce, rateInForce } from "#app/catalog/rates.server.ts";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { type RowOf, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { env } from "#app/infra/env.server.ts";
import { NEWEST_RATE } from "#app/infra/settings/shop-settings.server.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import { offersIn, offersSql, offersType } from "#app/offers/offers.server.ts";
import type { PlainLine } from "#app/offers/price.ts";
import { type Priced, priceAsAtPay, priceNow, type StoredOffers, type Terms } from "#app/offers/terms.ts";
import { offeredIn, RATES_AS_TEXT, type Rates, ratesIn, shippingCentsIn } from "#app/shipping/rates.server.ts";
import { type Destination, destinationOf } from "#app/shipping/shipping.ts";
import { deliveryToPay } from "#app/shipping/ways/ways.ts";
import type { OrderLine, ProductImage, ProductKind, ShippingDetails } from "#db/types.ts";
import { mayOrderSql, wasInTurnSql } from "./queue/queue.server.ts";
import { type Availability, availabilityOf, inStock, namedShortages, unitsType } from "./reservation.server.ts";
import { IS_LIVE } from "./state.ts";
import { orderSums, type Sums } from "./sums.ts";
import { LAPSED_WITHIN } from "./time-limits.ts";
import type { NamedShortage, Unheld, Units } from "./units.ts";

/** What the sums of an order depend on, apart from its pieces. */
export type Basis = {
  rate: Rate;
  rateAt: Date;
  shippingCents: UsdCents;
  /** The standard rate: what free delivery takes off. Defaults to `shippingCents`. */
  standardCents?: UsdCents;
};
/**
 * `short` lists what the cart wants but cannot get; `lines` do not include it. `unheld`: what the order would not hold
 * until it is paid.
 */
export type Quote = {
  lines: OrderLine[];
  short: NamedShortage[];
  sums: Sums;
  rate: Rate;
  unheld?: Unheld;
  /** The prices after offers, and what offers save. Undefined if no offer runs and the shopper has typed no code. */
  offers?: Priced<OrderLine & PlainLine>;
};

/** The current price of the shopper's cart, without delivery. Reserves nothing. */
export async function quote(on: Db, userId: string): Promise<Quote> {
  const [cart, { rate }] = await Promise.all([readCart(on, userId), rateInForce(on)]);
  const { lines, offers } = priceLines(inStock(cart.lines, withinLimit(cart.availability)), cart.offers, rate);
  const short = namedShortages(cart.lines, withinLimit(cart.availability)).map((one) => ({
    ...one,
    ...(one.available < cart.availability(one) && { isLimit: true }),
  }));
  const sums = orderSums(lines, usdCents(0), rate);
  const unheld = unheldOf(lines, cart.lapsedOrders, offers);
  return { lines, short, sums, rate, ...(unheld && { unheld }), ...(cart.offers && { offers }) };
}

/** A line of the cart at the price in force, before offers. */
export type CartLine = OrderLine & { kinds?: ProductKind[] };

/**
 * The lines of an order at their prices after offers. The result's `offers` has all other effects, such as free
 * delivery.
 */
export function priceLines(
  lines: readonly CartLine[],
  stored: StoredOffers | undefined,
  rate: Rate,
): { lines: OrderLine[]; offers: Priced<OrderLine & PlainLine> } {
  const withKinds = lines.map((line): OrderLine & PlainLine => ({ ...line, kinds: line.kinds ?? [] }));
  const offers = priceNow(withKinds, stored, rate);
  const priced = offers.lines.map(({ kinds: _, collections: __, fullCents, offers: own, ...line }, at) => ({
    ...line,
    ...(line.isAgreed && { fullCents: lines[at]?.fullCents }),
    ...(fullCents > line.priceCents && { fullCents, offerNames: own.map(({ name }) => name) }),
  }));
  return { lines: priced, offers };
}

/** How many of a size one order may have: as many as are available, up to the owner's limit. */
export function withinLimit(available: Availability): Availability {
  return (unit) => Math.min(available(unit), mostOfASize());
}

const selectRates = statement(
  {
    takes: {},
    gives: {
      shipping: sqlType.text,
      rate: sqlType.orNull(sqlType.numeric),
      fetchedAt: sqlType.orNull(sqlType.time),
    },
  },
  `select ${RATES_AS_TEXT} as shipping, rate, fetched_at
   from (values (1)) as one left join lateral (${NEWEST_RATE}) as newest on true`,
);

/** The delivery rates and the exchange rate, both as of now. */
export type RatesNow = { shipping: Rates; exchange: RateInForce };
export const readRatesNow: (on: Db | Transaction) => Promise<RatesNow> = batched(async (on) => {
  const [row] = await selectRates(on);
  if (!row) throw new Error("There is a row without any rates, too");
  return { shipping: ratesIn(row.shipping), exchange: inForce(row) };
});

/** `way`: the id of a further way of delivery. Undefined if the shop does not deliver there, or not in this way. */
export function basisOf({ shipping, exchange }: RatesNow, destination: Destination, way?: string): Basis | undefined {
  const cents = shippingCentsIn(shipping, destination, way);
  if (cents === undefined) return;
  const standard = way && { standardCents: shippingCentsIn(shipping, destination) };
  return { rate: exchange.rate, rateAt: exchange.at, shippingCents: cents, ...standard };
}

const pricesOf = statement(
  {
    takes: { ids: sqlType.textList(), at: sqlType.timeFrom, isInTurns: sqlType.bool },
    gives: { id: sqlType.text, priceCents: sqlType.int },
  },
  `select id, ${priceAtSql(":at")} as price_cents from products
   where id = any(:ids) and not hidden and (not :isInTurns::boolean or ${wasInTurnSql("products.id", ":at")})`,
);

/**
 * What an order's pieces and delivery cost today, with the sale prices, the offers and the agreed prices from when it
 * was made. Undefined if the shop no longer sells one of the products or no longer delivers there or, for an order that
 * `isInTurns`, if one of them has been sold in turns since.
 */
export async function sumsToday(
  on: Db | Transaction,
  { lines, shipping, createdAt }: { lines: OrderLine[]; shipping: ShippingDetails; createdAt: Date },
  offers: readonly Terms[] = [],
  isInTurns = false,
): Promise<Sums | undefined> {
  const now = await readRatesNow(on);
  const destination = destinationOf(shipping, offeredIn(now.shipping));
  const basis = destination && basisOf(now, destination, shipping.deliveryWay?.id);
  const ids = lines.map(({ productId }) => productId);
  const prices = new Map(
    (await pricesOf(on, { ids, at: createdAt, isInTurns })).map(({ id, priceCents }) => [id, priceCents]),
  );
  const today = lines.flatMap((line) => {
    const priceCents = prices.get(line.productId);
    return priceCents === undefined
      ? []
      : [{ ...line, kinds: [], priceCents: line.isAgreed ? line.priceCents : priceCents }];
  });
  if (!basis || today.length < lines.length) return;
  const offered = priceAsAtPay(today, offers, basis.rate);
  return orderSums(offered.lines, deliveryToPay(basis, offered.freeDelivery !== undefined), basis.rate);
}

/** From this many lapsed orders on, a shopper's next order reserves nothing. */
const MOST_LAPSED = 3;

/** What an order of these lines would not hold until it is paid. Undefined if it would hold everything. */
export function unheldOf(
  lines: readonly { quantity: number }[],
  lapsedOrders: number,
  { given, freeDelivery }: Pick<Priced<PlainLine>, "given" | "freeDelivery">,
): Unheld | undefined {
  if (mayHoldStock(lines, lapsedOrders)) return;
  const hasOffers = given.length > 0 || freeDelivery !== undefined;
  return hasOffers && !mayHoldUses(lapsedOrders) ? "stockAndOffers" : "stock";
}

/**
 * Whether an order may reserve stock. A large order may not, and neither may one of a shopper whose last orders lapsed:
 * otherwise somebody could empty the shop without paying.
 */
export function mayHoldStock(lines: readonly { quantity: number }[], lapsedOrders: number): boolean {
  const pieces = countUnits(lines);
  return pieces <= env.HOLD_AT_MOST && mayHoldUses(lapsedOrders);
}

/**
 * Whether an order may hold its uses of offers until it is paid. Unlike with stock, a large order may. An order that
 * may not takes its uses when it is paid.
 */
export function mayHoldUses(lapsedOrders: number): boolean {
  return lapsedOrders < MOST_LAPSED;
}

/**
 * The shopper's other orders: whether one is live, and how many have lapsed. An order whose payment the provider never
 * opened does not count as lapsed, because nobody could have paid it. One that was held for somebody else's link counts
 * from the end of its hold, opened or not.
 */
type OtherOrders = { hasLiveOrder: boolean; lapsedOrders: number };
/** The columns of a line at the price in force, as `LINE_COLUMNS` reads them. */
const lineTypes = {
  productId: sqlType.text,
  title: sqlType.text,
  color: sqlType.text,
  size: sqlType.text,
  quantity: sqlType.int,
  priceCents: sqlType.int,
  images: sqlType.json<ProductImage[]>(),
  finalSale: sqlType.bool,
  isOnSale: sqlType.bool,
  oldPriceCents: sqlType.orNull(sqlType.int),
  kinds: sqlType.textList<ProductKind>(),
  available: sqlType.int,
};
/** SQL for the columns of the lines `l` of products `p` with sizes `s`, without the available units. */
const LINE_COLUMNS = `product_id, title, l.color, size, quantity, ${inForceSql("price_cents", "p")} as price_cents, images,
     final_sale or ${inForceSql("sale_final", "p")} as final_sale,
     ${inForceSql("normal_cents", "p")} is not null as is_on_sale, ${inForceSql("old_cents", "p")} as old_price_cents, kinds`;

const linesInCart = statement(
  {
    takes: { userId: sqlType.text, lapsedWithin: sqlType.duration },
    gives: {
      ...lineTypes,
      hasLiveOrder: sqlType.bool,
      lapsedOrders: sqlType.int,
      offers: offersType,
      mayOrder: sqlType.orNull(sqlType.bool),
    },
  },
  `with own as (
     select product_id, size, sum(quantity) as held from reservations
     where order_id in (select id from orders where user_id = :userId and ${IS_LIVE}) group by product_id, size
   )
   select ${LINE_COLUMNS},
     case when hidden then 0 else coalesce(s.on_hand - s.reserved, 0) + coalesce(held, 0) end::int as available,
     exists (select from orders where user_id = :userId and ${IS_LIVE}) as has_live_order, (
       select count(*)::int from orders a
       where user_id = :userId and state = 'released' and (
         created_at > now() - :lapsedWithin::interval
           and exists (select from payments where order_id = a.id and access_code is not null)
         or released_at > now() - :lapsedWithin::interval and exists (select from payer_links where order_id = a.id))
     ) as lapsed_orders,
     ${offersSql(":userId", "(select code from carts where user_id = :userId)")} as offers,
     ${mayOrderSql(":userId", "l.product_id")} as may_order
   from cart_lines l join products p on p.id = product_id left join product_sizes s using (product_id, size)
     left join own using (product_id, size)
   where user_id = :userId order by added_at, product_id, size`,
);

/** `availability` was read without a lock: another shopper may take the pieces meanwhile. */
export type ReadCart = {
  lines: CartLine[];
  availability: Availability;
  offers?: StoredOffers;
  /** The products that are sold in turns, and whether the shopper may order them now. Undefined if there is none. */
  queued?: { productId: string; mayOrder: boolean }[];
} & OtherOrders;

/** The cart as order lines at prices in force, in the order in which they were added, and the offers that run. */
export async function readCart(on: Db | Transaction, userId: string): Promise<ReadCart> {
  const rows = await linesInCart(on, { userId, lapsedWithin: LAPSED_WITHIN });
  const lines = rows.map(({ hasLiveOrder: _, lapsedOrders: __, mayOrder: ___, offers, ...row }) =>
    lineOf(row, offers !== null),
  );
  const { hasLiveOrder = false, lapsedOrders = 0, offers } = rows[0] ?? {};
  const queued = rows.flatMap(({ productId, mayOrder }) => (mayOrder === null ? [] : [{ productId, mayOrder }]));
  return {
    lines,
    availability: availabilityOf(rows),
    hasLiveOrder,
    lapsedOrders,
    ...(offers && { offers: offersIn(offers) }),
    ...(queued.length > 0 && { queued }),
  };
}

function lineOf(row: RowOf<typeof lineTypes>, withKinds: boolean): CartLine {
  const { images, finalSale, isOnSale, oldPriceCents, kinds, available: _, ...line } = row;
  return {
    ...line,
    image: images[0] ?? null,
    ...(finalSale && { finalSale }),
    ...(isOnSale && { isOnSale }),
    ...(oldPriceCents && { oldPriceCents }),
    ...(withKinds && { kinds }),
  };
}

const ASKED_PRODUCTS = "(select array_agg(u ->> 'product_id') from jsonb_array_elements(:units) u)";
const linesAsked = statement(
  {
    takes: { userId: sqlType.orNull(sqlType.text), units: unitsType },
    gives: { ...lineTypes, isHidden: sqlType.bool, offers: offersType },
  },
  `select ${LINE_COLUMNS}, s.on_hand - s.reserved as available, hidden as is_hidden, ${offersSql(":userId", "null", ASKED_PRODUCTS)} as offers
   from (
     select u.product_id, u.size, u.quantity, place, color
     from rows from (jsonb_to_recordset(:units) as (product_id text, size text, quantity integer))
       with ordinality as u(product_id, size, quantity, place) join products on products.id = u.product_id
   ) l join products p on p.id = product_id join product_sizes s using (product_id, size)
   order by l.place`,
);

/**
 * Lines that staff ask for on behalf of a shopper, at prices in force, and the offers that run for the shopper without
 * a code; for a shopper without an account, those that run for everybody. `hidden`: products that the shop no longer
 * shows. Sizes that the shop does not have are left out.
 */
export async function readAsked(
  on: Db | Transaction,
  userId: string | null,
  units: readonly Units[],
): Promise<{ lines: CartLine[]; hidden: string[]; offers?: StoredOffers }> {
  const rows = await linesAsked(on, { userId, units });
  const lines = rows.map(({ isHidden: _, offers, ...row }) => lineOf(row, offers !== null));
  const hidden = rows.filter(({ isHidden }) => isHidden).map(({ productId }) => productId);
  const offers = rows[0]?.offers;
  return { lines, hidden, ...(offers && { offers: offersIn(offers) }) };
}
