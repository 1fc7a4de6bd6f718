import { sql } from "kysely";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { availableIn } from "#app/catalog/product.ts";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { publish } from "#app/infra/database/listener.server.ts";
import { type RowOf, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import { log } from "#app/infra/log.server.ts";
import { messages } from "#app/messages.ts";
import { usdCents } from "#app/money/money.ts";
import { type Cart, type CartLine, describeLine, type Written } from "./cart.ts";
import { type GuestItem, readGuestCart, toLine } from "./guest-item.ts";
import { type Brought, isSameLine, type Line, type MergeResult, mergeCarts } from "./merge.ts";

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

/** The guest's lines as the server sees them: the same shape as an account's cart. */
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
    .innerJoin("orders", "orders.id", "reservations.orderId")
    .where("orders.userId", "=", userId)
    .select(["productId", "size", "quantity"])
    .execute();
  return new Map(rows.map(({ productId, size, quantity }) => [`${productId} ${size}`, quantity]));
}

const countsOf = statement(
  {
    takes: { users: sqlType.json<string[]>() },
    gives: { userId: sqlType.text, version: sqlType.int, count: sqlType.int },
  },
  `select asked as user_id, coalesce(version, 0)::int as version, (
     select coalesce(sum(quantity), 0)::int from cart_lines where user_id = asked
   ) as count
   from jsonb_array_elements_text(:users) asked left join carts on carts.user_id = asked`,
);
const countCarts = batched(async (on, users: string[]) => {
  const rows = await countsOf(on, { users });
  return new Map(rows.map(({ userId, ...counts }) => [userId, counts]));
});

/** The cart's version and its units, as the live stream tells them: many streams hear of one change. */
export async function countCart(on: Db, userId: string): Promise<{ version: number; count: number }> {
  return (await countCarts(on, userId)).get(userId) ?? { version: 0, count: 0 };
}

/** Tells the shopper's other tabs and devices; after the change is committed. */
export function publishCart(on: Db, userId: string): Promise<void> {
  return publish(on, `cart:${userId}`);
}

/** Changes the cart in one transaction, then tells. */
async function changing<T>(on: Db, userId: string, change: (trx: Transaction) => Promise<T>): Promise<T> {
  const result = await on.transaction().execute(change);
  await publishCart(on, userId);
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
/** `key` names an addition: asked again under the same one, before anything else is added to the line, it adds nothing. */
type WantedMore = Wanted & { key?: string };
type Asked = WantedMore & { userId: string; adds: boolean };
/** Without a version nothing was written, and the quantities are those of no line. */
const lineWritten = {
  userId: sqlType.text,
  isBusy: sqlType.bool,
  available: sqlType.int,
  color: sqlType.text,
  priceCents: sqlType.int,
  version: sqlType.orNull(sqlType.int),
  quantity: sqlType.int,
  isCapped: sqlType.bool,
  count: sqlType.int,
};
type LineWritten = RowOf<typeof lineWritten>;
const MOST_UNITS = 999; // what the table takes

/**
 * A line in each of some shoppers' carts with one statement, so one round trip and short locks: looks up stock and price, counts the version up
 * and writes the line. What others have written to the same line meanwhile counts, since the sum is taken of the row as it is when it is locked.
 */
const writing = (held: "skip locked" | "") =>
  statement(
    { takes: { asked: sqlType.json<Asked[]>() }, gives: lineWritten },
    `with asked as (
       select "userId" as user_id, id as product_id, size, quantity, adds, key
       from jsonb_to_recordset(:asked) as a("userId" text, id text, size text, quantity integer, adds boolean, key uuid)
       where quantity between 1 and ${MOST_UNITS} -- by which the planner also expects few
     ), free as (
       select user_id from carts where user_id in (select user_id from asked) order by user_id for no key update ${held}
     ), wanted as (
       select a.user_id, a.product_id, a.size, a.quantity, adds, key, products.color, products.price_cents, coalesce(held.quantity, 0) as before,
         held.idempotency_key = key as is_again, coalesce(on_hand - reserved, 0) + (
         select coalesce(sum(r.quantity), 0)::int from reservations r join orders on orders.id = r.order_id
         where orders.user_id = a.user_id and r.product_id = a.product_id and r.size = a.size
       ) as available, carts.user_id is not null and free.user_id is null as is_busy
       from asked a join products on products.id = product_id and not hidden left join product_sizes using (product_id, size)
         left join carts on carts.user_id = a.user_id left join free on free.user_id = a.user_id
         left join cart_lines held
           on (held.user_id, held.product_id, held.size, held.color) = (a.user_id, a.product_id, a.size, products.color)
     ), head as (
       insert into carts (user_id, version)
       select user_id, 1 from wanted where not is_busy and available > 0 and (adds or quantity <= available) order by user_id
       on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
       returning user_id, version
     ), line as (
       insert into cart_lines (user_id, product_id, size, color, quantity, price_cents, idempotency_key)
       select user_id, product_id, size, color, least(quantity, available, ${MOST_UNITS}), price_cents, key
       from head join wanted using (user_id)
       on conflict (user_id, product_id, size, color) do update set
         quantity = case when cart_lines.idempotency_key = excluded.idempotency_key then cart_lines.quantity else (
           select least(w.quantity + case when adds then cart_lines.quantity else 0 end, available, ${MOST_UNITS})
           from wanted w where w.user_id = excluded.user_id
         ) end, price_cents = excluded.price_cents, idempotency_key = coalesce(excluded.idempotency_key, cart_lines.idempotency_key)
       returning user_id, quantity
     )
     select user_id, is_busy, available, color, price_cents, version::int, line.quantity,
       adds and is_again is not true and before + w.quantity > line.quantity as is_capped, line.quantity - before + (
       select coalesce(sum(quantity), 0)::int from cart_lines where user_id = w.user_id
     ) as count
     from wanted w left join head using (user_id) left join line using (user_id)`,
  );
const [writeFree, writeWaiting] = [writing("skip locked"), writing("")];

/** What several shoppers want at the same time, each once. Whose cart somebody else holds is left out: nobody waits for another's. */
const writeBatched = batched(async (on, all: Asked[]): Promise<Map<Asked, LineWritten | undefined>> => {
  const asked = [...new Map(all.toReversed().map((one) => [one.userId, one])).values()];
  const rows = await writeFree(on, { asked }).catch((error) => {
    if (error.severity === "ERROR") return undefined; // one of them failed, and nothing is written: each alone
    throw error;
  });
  const written = new Map(rows?.map((row) => [row.userId, row]));
  const done = asked.filter(({ userId }) => rows && !written.get(userId)?.isBusy);
  return new Map(done.map((one) => [one, written.get(one.userId)]));
});

/** Adds to what is there; the sum is capped at stock, as the specification says. */
export async function addToCart(on: Db, userId: string, { id, size, quantity, key }: WantedMore): Promise<CartChange> {
  return write(on, userId, { id, size, quantity, key }, true);
}

/** Sets the quantity; more than the stock is refused, not capped. */
export async function setQuantity(on: Db, userId: string, { id, size, quantity }: Wanted): Promise<CartChange> {
  return write(on, userId, { id, size, quantity }, false);
}

async function write(on: Db, userId: string, wanted: WantedMore, adds: boolean): Promise<CartChange> {
  const { id, size } = wanted;
  const asked = { userId, ...wanted, adds };
  const round = await writeBatched(on, asked);
  const line = round.has(asked) ? round.get(asked) : (await writeWaiting(on, { asked: [asked] }))[0];
  if (!line) {
    logInternalError("productNotFound", { product: id, size });
    return { ok: false, problem: messages.product.notFound };
  }
  const { userId: _, isBusy, version, priceCents, ...written } = line;
  if (version === null) return { ok: false, problem: messages.cart.aboveStock };
  await publishCart(on, userId);
  return { ok: true, change: { id, size, ...written, version, priceCents: usdCents(priceCents) } };
}

const removeLine = statement(
  {
    takes: { userId: sqlType.text, id: sqlType.text, size: sqlType.text },
    gives: { version: sqlType.int, count: sqlType.int },
  },
  `with head as (
     insert into carts (user_id, version) values (:userId, 1)
     on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
     returning version
   ), gone as (
     delete from cart_lines using head where user_id = :userId and product_id = :id and size = :size
   )
   select version::int, (
     select coalesce(sum(quantity), 0)::int from cart_lines
     where user_id = :userId and (product_id, size) <> (:id, :size)
   ) as count
   from head`,
);

export async function removeFromCart(
  on: Db,
  userId: string,
  { id, size }: { id: string; size: string },
): Promise<Written> {
  const [removed] = await removeLine(on, { userId, id, size });
  await publishCart(on, userId);
  if (!removed) throw new Error("A removed line must have a version");
  return { id, size, color: "", quantity: 0, priceCents: usdCents(0), available: 0, isCapped: false, ...removed };
}

/** As `mergeGuestCart`, with what a sign-in's form brings along: `guestCart` as local storage keeps it, `mergeId` once for each guest cart. */
export async function bringGuestCart(
  on: Db,
  userId: string,
  { guestCart, mergeId }: { guestCart?: string; mergeId?: string },
): Promise<Brought> {
  const guest = readGuestCart(guestCart || "[]");
  const merged = await mergeGuestCart(on, userId, mergeId || crypto.randomUUID(), guest);
  return merged.ok ? { ...merged, brought: guest.map(toLine) } : merged;
}

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
    return product && product.color === color ? Math.min(availableIn(product, size), MOST_UNITS) : 0;
  };
  // Without script the line comes from a cookie that names no colour: a product has one.
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

/**
 * Takes what was paid out of the cart, as parts of the settlement's statement: what the shopper added meanwhile stays. `order` is a row with
 * user_id and lines.
 */
export function takeOutPaid(order: string): string {
  const isBought = `l.user_id = (select user_id from ${order})
       and (l.product_id, l.size, l.color) = (b.product_id, b.size, b.color)`;
  return `cart as (
     update carts set version = version + 1, updated_at = now() where user_id = (select user_id from ${order})
   ), bought as (
     select "productId" as product_id, size, color, quantity
     from ${order}, jsonb_to_recordset(lines) as l("productId" text, size text, color text, quantity integer)
   ), gone as (
     delete from cart_lines l using bought b where ${isBought} and l.quantity <= b.quantity
   ), fewer as (
     update cart_lines l set quantity = l.quantity - b.quantity from bought b where ${isBought} and l.quantity > b.quantity
   )`;
}

type LineKey = { userId: string; productId: string; size: string; color: string };

function sameLine({ userId, productId, size, color }: LineKey) {
  return sql<boolean>`user_id = ${userId} and product_id = ${productId} and size = ${size} and color = ${color}`;
}
