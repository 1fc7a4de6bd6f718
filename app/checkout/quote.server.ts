import { rateInForce } from "#app/catalog/rates.server.ts";
import { type Db, prepared, type Transaction } from "#app/infra/db.server.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import type { OrderLine, ProductImage } from "#db/types.ts";
import { IS_LIVE } from "./order-state.ts";
import type { Short } from "./outcomes.ts";
import { inStock, type Shelf, shelfOf, shortIn } from "./reservation.server.ts";
import type { Destination } from "./shipping.ts";
import { shippingCents } from "./shipping-rates.server.ts";
import { orderSums, type Sums } from "./sums.ts";

/** What a sum is reckoned with, apart from the cart. */
export type Basis = { rate: Rate; rateAt: Date; shippingCents: UsdCents };
/** `short` is what the cart wants and cannot have: the lines are without it, as the cart shows them. */
export type Quote = { lines: OrderLine[]; short: Short[]; sums: Sums; rate: Rate; rateAt: Date };

/** What the shopper's cart costs now, delivered there; without a destination yet, without delivery. */
export async function quote(on: Db, userId: string, destination?: Destination): Promise<Quote> {
  const [cart, basis] = await Promise.all([readCart(on, userId), readBasis(on, destination)]);
  const { rate, rateAt } = basis;
  const lines = inStock(cart.lines, cart.shelf);
  const short = shortIn(cart.lines, cart.shelf);
  return { lines, short, sums: orderSums(lines, basis.shippingCents, rate), rate, rateAt };
}

export async function readBasis(on: Db, destination?: Destination): Promise<Basis> {
  const [{ rate, at }, cents] = await Promise.all([
    rateInForce(on),
    destination ? shippingCents(on, destination) : usdCents(0),
  ]);
  return { rate, rateAt: at, shippingCents: cents };
}

type Row = Omit<OrderLine, "image"> & { images: ProductImage[]; available: number; hasLiveOrder: boolean };
const linesInCart = prepared<Row, [userId: string]>(
  `with own as (
     select product_id, size, sum(quantity) as held from reservations
     where attempt_id in (select id from attempts where user_id = $1 and ${IS_LIVE}) group by product_id, size
   )
   select product_id, title, l.color, size, quantity, p.price_cents, images,
     case when hidden then 0 else coalesce(s.on_hand - s.reserved, 0) + coalesce(held, 0) end::int as available, exists (select from attempts where user_id = $1 and ${IS_LIVE}) as has_live_order
   from cart_lines l join products p on p.id = product_id left join product_sizes s using (product_id, size)
     left join own using (product_id, size)
   where user_id = $1 order by added_at, product_id, size`,
);

/** `shelf` is for a first look: what is there now may be taken by somebody else in the next moment. */
export type ReadCart = { lines: OrderLine[]; shelf: Shelf; hasLiveOrder: boolean };

/** The cart as order lines at today's prices, in the order in which it was filled. */
export async function readCart(on: Db | Transaction, userId: string): Promise<ReadCart> {
  const rows = await linesInCart(on, userId);
  const lines = rows.map(({ images, available: _, hasLiveOrder: __, ...line }) => ({
    ...line,
    image: images[0] ?? null,
  }));
  return { lines, shelf: shelfOf(rows), hasLiveOrder: rows[0]?.hasLiveOrder ?? false };
}
