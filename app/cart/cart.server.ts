import { sql } from "kysely";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { availableIn } from "#app/catalog/product.ts";
import { type Db, prepared, type Transaction } from "#app/infra/db.server.ts";
import { announce } from "#app/infra/live.server.ts";
import { log } from "#app/infra/log.server.ts";
import { messages } from "#app/messages.ts";
import { usdCents } from "#app/money/money.ts";
import { type Cart, type CartLine, describeLine, type Written } from "./cart.ts";
import { type GuestItem, readGuestCart, toLine } from "./guest-item.ts";
import { isSameLine, type Line, mergeCarts } from "./merge.ts";

export type CartChange = { ok: true; change: Written } | { ok: false; problem: string };

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
type LineWritten = Omit<Written, "id" | "size" | "version"> & { version: number | null };
const MOST_UNITS = 999; // what the table takes

/**
 * One statement, so one round trip and one short lock: looks up stock and price, counts the version up and writes the line. What others
 * have written to the same line meanwhile counts, since the sum is taken of the row as it is when it is locked.
 */
const writeLine = prepared<LineWritten, [userId: string, id: string, size: string, quantity: number, adds: boolean]>(
  `with wanted as (
     select p.color, p.price_cents, coalesce(s.on_hand - s.reserved, 0) + (
       select coalesce(sum(r.quantity), 0)::int from reservations r join attempts a on a.id = r.attempt_id
       where a.user_id = $1 and a.state in ('open', 'waiting') and r.product_id = p.id and r.size = $3
     ) as available
     from products p left join product_sizes s on s.product_id = p.id and s.size = $3
     where p.id = $2
   ), head as (
     insert into carts (user_id, version) select $1, 1 from wanted where available > 0 and ($5 or $4::int <= available)
     on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
     returning version
   ), line as (
     insert into cart_lines (user_id, product_id, size, color, quantity, price_cents)
     select $1, $2, $3, color, least($4::int, available, ${MOST_UNITS}), price_cents from head, wanted
     on conflict (user_id, product_id, size, color) do update set
       quantity = least($4 + case when $5 then cart_lines.quantity else 0 end, (select available from wanted), ${MOST_UNITS}),
       price_cents = excluded.price_cents
     returning quantity
   )
   select w.available, w.color, w.price_cents, head.version::int, line.quantity, line.quantity + (
     select coalesce(sum(quantity), 0)::int from cart_lines
     where user_id = $1 and (product_id, size, color) <> ($2, $3, w.color)
   ) as count
   from wanted w left join head on true left join line on true`,
);

/** Adds to what is there; the sum is capped at stock, as the specification says. */
export async function addToCart(on: Db, userId: string, { id, size, quantity }: Wanted): Promise<CartChange> {
  return write(on, userId, { id, size, quantity }, true);
}

/** Sets the quantity; more than the stock is refused, not capped. */
export async function setQuantity(on: Db, userId: string, { id, size, quantity }: Wanted): Promise<CartChange> {
  return write(on, userId, { id, size, quantity }, false);
}

async function write(on: Db, userId: string, { id, size, quantity }: Wanted, adds: boolean): Promise<CartChange> {
  const [written] = await writeLine(on, userId, id, size, quantity, adds);
  if (!written) return { ok: false, problem: messages.product.notFound };
  if (written.version === null) return { ok: false, problem: messages.cart.aboveStock };
  await announceCart(on, userId);
  const { version, priceCents } = written;
  return { ok: true, change: { id, size, ...written, version, priceCents: usdCents(priceCents) } };
}

const removeLine = prepared<{ version: number; count: number }, [userId: string, id: string, size: string]>(
  `with head as (
     insert into carts (user_id, version) values ($1, 1)
     on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
     returning version
   ), gone as (
     delete from cart_lines using head where user_id = $1 and product_id = $2 and size = $3
   )
   select version::int, (
     select coalesce(sum(quantity), 0)::int from cart_lines
     where user_id = $1 and (product_id, size) <> ($2, $3)
   ) as count
   from head`,
);

export async function removeFromCart(
  on: Db,
  userId: string,
  { id, size }: { id: string; size: string },
): Promise<Written> {
  const [removed] = await removeLine(on, userId, id, size);
  await announceCart(on, userId);
  if (!removed) throw new Error("A removed line must have a version");
  return { id, size, color: "", quantity: 0, priceCents: usdCents(0), available: 0, ...removed };
}

/** As `mergeGuestCart`, with what a sign-in's form brings along: `guestCart` as local storage keeps it, `mergeId` once for each guest cart. */
export function bringGuestCart(
  on: Db,
  userId: string,
  { guestCart, mergeId }: { guestCart?: string; mergeId?: string },
): Promise<MergeResult> {
  return mergeGuestCart(on, userId, mergeId || crypto.randomUUID(), readGuestCart(guestCart || "[]"));
}

/** What became of a guest cart; `added` and `skipped` are titles. */
export type MergeResult = { ok: true; added: string[]; adjusted: boolean; skipped: string[] } | { ok: false };
const NOTHING_MERGED: MergeResult = { ok: true, added: [], adjusted: false, skipped: [] };

/** Brings a guest cart into the account's, once per `mergeId`; a failure is logged and loses nothing, since the guest cart stays. */
export async function mergeGuestCart(
  on: Db,
  userId: string,
  mergeId: string,
  guest: GuestItem[],
): Promise<MergeResult> {
  if (guest.length === 0) return NOTHING_MERGED;
  try {
    return await changing(on, userId, async (trx) => {
      await changeCart(trx, userId);
      const first = await trx
        .insertInto("cartMerges")
        .values({ userId, mergeId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!first.numInsertedOrUpdatedRows) return NOTHING_MERGED;
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
  const heldOf = (line: Omit<Line, "quantity">) => account.find((other) => isSameLine(other, line))?.quantity ?? 0;
  const titleOf = ({ productId }: Line) => products.get(productId)?.title ?? productId;
  for (const { quantity, ...line } of plan.writes) {
    const priceCents = products.get(line.productId)?.priceCents ?? 0;
    if (heldOf(line) > 0)
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
    added: [...new Set(plan.writes.filter((line) => line.quantity > heldOf(line)).map(titleOf))],
    adjusted: plan.adjusted,
    skipped: plan.skipped.map(titleOf),
  };
}

const takeOutPaid = prepared<object, [userId: string, paid: string]>(
  `with head as (
     update carts set version = version + 1, updated_at = now() where user_id = $1
   ), paid as (
     select "productId" as id, size, color, quantity
     from jsonb_to_recordset($2::jsonb) as p("productId" text, size text, color text, quantity integer)
   ), gone as (
     delete from cart_lines l using paid p
     where user_id = $1 and product_id = p.id and l.size = p.size and l.color = p.color and l.quantity <= p.quantity
   )
   update cart_lines l set quantity = l.quantity - p.quantity from paid p
   where user_id = $1 and product_id = p.id and l.size = p.size and l.color = p.color and l.quantity > p.quantity`,
);

/** Takes what was paid out of the cart: what the shopper added meanwhile stays. Called inside the settlement's transaction. */
export async function clearPaidItems(trx: Transaction, userId: string, paid: readonly Line[]): Promise<void> {
  await takeOutPaid(trx, userId, JSON.stringify(paid));
}

type LineKey = { userId: string; productId: string; size: string; color: string };

function sameLine({ userId, productId, size, color }: LineKey) {
  return sql<boolean>`user_id = ${userId} and product_id = ${productId} and size = ${size} and color = ${color}`;
}
