import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { type Cart, type CartLine, describeLine } from "./cart.ts";
import { type GuestItem, toLine } from "./guest-item.ts";
import { mostOfASize } from "./limit.server.ts";

/** The account's cart, priced and capped as of now. Stock that the shopper's own live order holds counts as available to that shopper. */
export async function getCart(on: Db | Transaction, userId: string): Promise<Cart> {
  const [head, rows] = await Promise.all([
    on.selectFrom("carts").select("version").where("userId", "=", userId).executeTakeFirst(),
    on
      .selectFrom("cartLines")
      .selectAll()
      .where("userId", "=", userId)
      .orderBy("addedAt")
      .orderBy("productId")
      .orderBy("size")
      .execute(),
  ]);
  const own = await ownReservations(on, userId);
  const products = await getProducts(
    on,
    rows.map(({ productId }) => productId),
  );
  const most = mostOfASize();
  const lines = rows.map((row): CartLine => {
    const held = own.get(`${row.productId} ${row.size}`) ?? 0;
    return describeLine({ ...row, addedAt: row.addedAt.toISOString() }, products.get(row.productId), held, most);
  });
  return { version: Number(head?.version ?? 0), lines };
}

/** A guest's lines with today's prices and stock, in the shape of an account's cart. Nothing is written. */
export async function priceGuestCart(on: Db, items: GuestItem[]): Promise<Cart> {
  const products = await getProducts(
    on,
    items.map(({ id }) => id),
  );
  const most = mostOfASize();
  const lines = items.map((item) =>
    describeLine(
      { ...toLine(item), addedAt: item.addedAt, priceCents: Math.round(item.price * 100) },
      products.get(item.id),
      0,
      most,
    ),
  );
  return { version: 0, lines };
}

async function ownReservations(on: Db | Transaction, userId: string): Promise<Map<string, number>> {
  const rows = await on
    .selectFrom("reservations")
    .innerJoin("orders", "orders.id", "reservations.orderId")
    .where("orders.userId", "=", userId)
    .select(["productId", "size", "quantity"])
    .execute();
  return new Map(rows.map(({ productId, size, quantity }) => [`${productId} ${size}`, quantity]));
}
