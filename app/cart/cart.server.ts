import { sql } from "kysely";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { availableIn } from "#app/catalog/product.ts";
import type { Db, Transaction } from "#app/infra/db.server.ts";
import { announce } from "#app/infra/live.server.ts";
import { log } from "#app/infra/log.server.ts";
import { messages } from "#app/messages.ts";
import { type Cart, type CartLine, describeLine } from "./cart.ts";
import { type GuestItem, toLine } from "./guest-item.ts";
import { isSameLine, type Line, mergeCarts } from "./merge.ts";

export type CartChange = { ok: true } | { ok: false; problem: string };

/** The account's cart, priced and capped as of now. Stock that the shopper's own running payment holds counts as available to them. */
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
  const lines = rows.map((row): CartLine => {
    const held = own.get(`${row.productId} ${row.size}`) ?? 0;
    return describeLine({ ...row, addedAt: row.addedAt.toISOString() }, products.get(row.productId), held);
  });
  return { version: Number(head?.version ?? 0), lines };
}

/** The guest's lines as the server sees them (ruling R16): the same shape as an account's cart. */
export async function priceGuestCart(on: Db, items: GuestItem[]): Promise<Cart> {
  const products = await getProducts(
    on,
    items.map(({ id }) => id),
  );
  const lines = items.map((item) =>
    describeLine(
      { ...toLine(item), addedAt: item.addedAt, priceCents: Math.round(item.price * 100) },
      products.get(item.id),
      0,
    ),
  );
  return { version: 0, lines };
}

async function ownReservations(on: Db | Transaction, userId: string): Promise<Map<string, number>> {
  const rows = await on
    .selectFrom("reservations")
    .innerJoin("attempts", "attempts.id", "reservations.attemptId")
    .where("attempts.userId", "=", userId)
    .where("attempts.state", "in", ["open", "waiting"])
    .select(["productId", "size", "quantity"])
    .execute();
  return new Map(rows.map(({ productId, size, quantity }) => [`${productId} ${size}`, quantity]));
}

/** The cart's version and its units, as the live stream tells them. */
export async function countCart(on: Db, userId: string): Promise<{ version: number; count: number }> {
  const { rows } = await sql<{ version: number; count: number }>`
    select coalesce((select version from carts where user_id = ${userId}), 0)::int as version,
      coalesce((select sum(quantity) from cart_lines where user_id = ${userId}), 0)::int as count
  `.execute(on);
  return rows[0] ?? { version: 0, count: 0 };
}

/** Tells the shopper's other tabs and devices; after the change is committed. */
export function announceCart(on: Db, userId: string): Promise<void> {
  return announce(on, `cart:${userId}`);
}

/** Changes the cart in one transaction, then tells. */
async function changing<T>(on: Db, userId: string, change: (trx: Transaction) => Promise<T>): Promise<T> {
  const result = await on.transaction().execute(change);
  await announceCart(on, userId);
  return result;
}

/** Locks the account's cart until the transaction ends, making it when there is none, and counts its version up. */
async function changeCart(trx: Transaction, userId: string): Promise<void> {
  await sql`
    insert into carts (user_id, version) values (${userId}, 1)
    on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
  `.execute(trx);
}

type Wanted = { id: string; size: string; quantity: number };

/** Adds to what is there; the sum is capped at stock, as the specification says. */
export async function addToCart(on: Db, userId: string, { id, size, quantity }: Wanted): Promise<CartChange> {
  return writeQuantity(on, userId, id, size, (held, available) => Math.min(held + quantity, available));
}

/** Sets the quantity; more than the stock is refused, not capped. */
export async function setQuantity(on: Db, userId: string, { id, size, quantity }: Wanted): Promise<CartChange> {
  return writeQuantity(on, userId, id, size, (_, available) => (quantity > available ? undefined : quantity));
}

async function writeQuantity(
  on: Db,
  userId: string,
  id: string,
  size: string,
  decide: (held: number, available: number) => number | undefined,
): Promise<CartChange> {
  return changing(on, userId, async (trx) => {
    await changeCart(trx, userId);
    const product = (await getProducts(trx, [id])).get(id);
    if (!product) return { ok: false, problem: messages.product.notFound };
    const own = (await ownReservations(trx, userId)).get(`${id} ${size}`) ?? 0;
    const available = availableIn(product, size) + own;
    if (available === 0) return { ok: false, problem: messages.cart.aboveStock };
    const line = { userId, productId: id, size, color: product.color };
    const row = await trx.selectFrom("cartLines").select("quantity").where(sameLine(line)).executeTakeFirst();
    const quantity = decide(row?.quantity ?? 0, available);
    if (quantity === undefined) return { ok: false, problem: messages.cart.aboveStock };
    await trx
      .insertInto("cartLines")
      .values({ ...line, quantity, priceCents: product.priceCents })
      .onConflict((conflict) =>
        conflict
          .columns(["userId", "productId", "size", "color"])
          .doUpdateSet({ quantity, priceCents: product.priceCents }),
      )
      .execute();
    return { ok: true };
  });
}

export async function removeFromCart(
  on: Db,
  userId: string,
  { id, size }: { id: string; size: string },
): Promise<void> {
  await changing(on, userId, async (trx) => {
    await changeCart(trx, userId);
    await trx
      .deleteFrom("cartLines")
      .where("userId", "=", userId)
      .where("productId", "=", id)
      .where("size", "=", size)
      .execute();
  });
}

export type MergeResult = { ok: true; adjusted: boolean; skipped: string[] } | { ok: false };

/** Brings a guest cart into the account's, once per `mergeId`; a failure is logged and loses nothing, since the guest cart stays. */
export async function mergeGuestCart(
  on: Db,
  userId: string,
  mergeId: string,
  guest: GuestItem[],
): Promise<MergeResult> {
  if (guest.length === 0) return { ok: true, adjusted: false, skipped: [] };
  try {
    return await changing(on, userId, async (trx) => {
      await changeCart(trx, userId);
      const first = await trx
        .insertInto("cartMerges")
        .values({ userId, mergeId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!first.numInsertedOrUpdatedRows) return { ok: true, adjusted: false, skipped: [] };
      return mergeOnce(trx, userId, guest);
    });
  } catch (error) {
    log.error({ err: error, userId }, messages.cart.mergeFailed);
    return { ok: false };
  }
}

async function mergeOnce(trx: Transaction, userId: string, guest: GuestItem[]): Promise<MergeResult> {
  const account = await trx
    .selectFrom("cartLines")
    .select(["productId", "size", "color", "quantity"])
    .where("userId", "=", userId)
    .execute();
  const products = await getProducts(
    trx,
    guest.map(({ id }) => id),
  );
  const stockOf = ({ productId, size, color }: Line) => {
    const product = products.get(productId);
    return product && product.color === color ? availableIn(product, size) : 0;
  };
  // Without script the line comes from a URL that names no colour: a product has one.
  const brought = guest
    .map(toLine)
    .map((line) => ({ ...line, color: line.color || (products.get(line.productId)?.color ?? "") }));
  const plan = mergeCarts(account, brought, stockOf);
  for (const { quantity, ...line } of plan.writes) {
    const priceCents = products.get(line.productId)?.priceCents ?? 0;
    const had = account.some((other) => isSameLine(other, line));
    if (had)
      await trx
        .updateTable("cartLines")
        .set({ quantity })
        .where(sameLine({ userId, ...line }))
        .execute();
    else
      await trx
        .insertInto("cartLines")
        .values({ userId, ...line, quantity, priceCents })
        .execute();
  }
  return {
    ok: true,
    adjusted: plan.adjusted,
    skipped: plan.skipped.map(({ productId }) => products.get(productId)?.title ?? productId),
  };
}

/** Takes what was paid out of the cart: what the shopper added meanwhile stays. Called inside the settlement's transaction. */
export async function clearPaidItems(trx: Transaction, userId: string, paid: Line[]): Promise<void> {
  await changeCart(trx, userId);
  for (const { quantity, ...line } of paid) {
    const row = await trx
      .selectFrom("cartLines")
      .select("quantity")
      .where(sameLine({ userId, ...line }))
      .executeTakeFirst();
    if (!row) continue;
    if (row.quantity <= quantity)
      await trx
        .deleteFrom("cartLines")
        .where(sameLine({ userId, ...line }))
        .execute();
    else
      await trx
        .updateTable("cartLines")
        .set({ quantity: row.quantity - quantity })
        .where(sameLine({ userId, ...line }))
        .execute();
  }
}

type LineKey = { userId: string; productId: string; size: string; color: string };

function sameLine({ userId, productId, size, color }: LineKey) {
  return sql<boolean>`user_id = ${userId} and product_id = ${productId} and size = ${size} and color = ${color}`;
}
