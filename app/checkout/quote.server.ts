import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db, Transaction } from "#app/infra/db.server.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import type { OrderLine } from "#db/types.ts";
import type { Destination } from "./shipping.ts";
import { shippingCents } from "./shipping-rates.server.ts";
import { orderSums, type Sums } from "./sums.ts";

/** What a sum is reckoned with, apart from the cart. */
export type Basis = { rate: Rate; rateAt: Date; shippingCents: UsdCents };
export type Quote = { lines: OrderLine[]; sums: Sums; rate: Rate; rateAt: Date };

/** What the shopper's cart costs now, delivered there; without a destination yet, without delivery. */
export async function quote(on: Db, userId: string, destination?: Destination): Promise<Quote> {
  const [lines, basis] = await Promise.all([cartLines(on, userId), readBasis(on, destination)]);
  const { rate, rateAt } = basis;
  return { lines, sums: orderSums(lines, basis.shippingCents, rate), rate, rateAt };
}

export async function readBasis(on: Db, destination?: Destination): Promise<Basis> {
  const [{ rate, at }, cents] = await Promise.all([
    rateInForce(on),
    destination ? shippingCents(on, destination) : usdCents(0),
  ]);
  return { rate, rateAt: at, shippingCents: cents };
}

/** The cart as order lines at today's prices, in the order in which it was filled. */
export async function cartLines(on: Db | Transaction, userId: string): Promise<OrderLine[]> {
  const rows = await on
    .selectFrom("cartLines")
    .innerJoin("products", "products.id", "cartLines.productId")
    .select(["productId", "title", "cartLines.color", "size", "quantity", "products.priceCents", "images"])
    .where("userId", "=", userId)
    .orderBy("addedAt")
    .orderBy("productId")
    .orderBy("size")
    .execute();
  return rows.map(({ images, ...line }) => ({ ...line, image: images[0] ?? null }));
}
