import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Product } from "#app/catalog/product.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { NEWEST_RATE } from "#app/infra/settings/shop-settings.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { usdCents } from "#app/money/money.ts";
import { guestOffers, offersIn, offersSql, offersType, type ReadOffers } from "#app/offers/offers.server.ts";
import { priceNow } from "#app/offers/terms.ts";
import { buyable, type Cart, type CartLine, describeLine, sizesBeside } from "./cart.ts";
import { type GuestItem, toLine } from "./guest-item.ts";
import { mostOfASize } from "./limit.server.ts";
import { cartOffers } from "./offers/text.ts";

/**
 * The account's cart with current prices and stock. Stock that is reserved by the shopper's own unpaid order counts as
 * available to that shopper.
 */
export async function getCart(on: Db | Transaction, userId: string): Promise<Cart> {
  const [[head], rows] = await Promise.all([
    headOf(on, { userId }),
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
    const heldOf = (size: string) => own.get(`${row.productId} ${size}`) ?? 0;
    const product = products.get(row.productId);
    return {
      ...describeLine({ ...row, addedAt: row.addedAt.toISOString() }, product, heldOf(row.size), most),
      ...sizesBeside(row.size, product, heldOf, most),
    };
  });
  return offered({ version: Number(head?.version ?? 0), lines }, products, head);
}

const headOf = statement(
  {
    takes: { userId: sqlType.text },
    gives: { version: sqlType.orNull(sqlType.bigint), offers: offersType, rate: sqlType.orNull(sqlType.numeric) },
  },
  `select version, ${offersSql(":userId", "code")} as offers, (select rate from (${NEWEST_RATE}) as newest) as rate
   from (values (1)) as one left join carts on user_id = :userId`,
);

type Head = { offers: ReadOffers | null; rate: string | null };

/** The cart with offers applied to the lines that can be bought. */
function offered(cart: Cart, products: Map<string, Product>, head: Head | undefined): Cart {
  if (!head?.offers) return cart;
  const lines = buyable(cart).map((line) => ({
    ...{ productId: line.id, size: line.size, color: line.color, quantity: line.quantity },
    ...{ priceCents: line.priceCents, kinds: products.get(line.id)?.kinds ?? [], isOnSale: line.isOnSale },
  }));
  const rate = (head.rate && parseRate(head.rate)) || FALLBACK_RATE;
  const priced = priceNow(lines, offersIn(head.offers), rate);
  const priceOf = (line: CartLine) =>
    priced.lines.find(
      ({ productId, size, color }) => line.id === productId && line.size === size && line.color === color,
    );
  return {
    ...cart,
    lines: cart.lines.map((line) => {
      const made = priceOf(line);
      if (!made || made.priceCents === made.fullCents) return line;
      const offerNames = made.offers.map(({ name }) => name);
      return { ...line, priceCents: usdCents(made.priceCents), fullCents: usdCents(made.fullCents), offerNames };
    }),
    offers: cartOffers(priced, rate),
  };
}

/** A guest's lines with current prices and stock, in the shape of an account's cart. Read-only. */
export async function priceGuestCart(on: Db, items: GuestItem[], code: string | null = null): Promise<Cart> {
  const ids = items.map(({ id }) => id);
  const [products, head] = await Promise.all([getProducts(on, ids), guestOffers(on, code, ids)]);
  const most = mostOfASize();
  const lines = items.map((item) => {
    const product = products.get(item.id);
    const stored = { ...toLine(item), addedAt: item.addedAt, priceCents: Math.round(item.price * 100) };
    return {
      ...describeLine(stored, product, 0, most),
      ...sizesBeside(item.selectedSize, product, () => 0, most),
    };
  });
  return offered({ version: 0, lines }, products, head);
}

/** The units reserved by the shopper's own unpaid order, by product and size. */
export async function ownReservations(on: Db | Transaction, userId: string): Promise<Map<string, number>> {
  const rows = await on
    .selectFrom("reservations")
    .innerJoin("orders", "orders.id", "reservations.orderId")
    .where("orders.userId", "=", userId)
    .select(["productId", "size", "quantity"])
    .execute();
  return new Map(rows.map(({ productId, size, quantity }) => [`${productId} ${size}`, quantity]));
}
