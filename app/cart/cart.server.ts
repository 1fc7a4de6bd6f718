import { inForceSql } from "#app/catalog/prices/in-force.server.ts";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { type RowOf, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import * as messages from "#app/messages.ts";
import { usdCents } from "#app/money/money.ts";
import { limitText, MOST_LINES, MOST_OF_A_LINE, type Written } from "./cart.ts";
import { mostOfASize } from "./limit.server.ts";
import { publishCart } from "./publish.server.ts";

export { mergeFromForm, mergeGuestCart } from "./merge.server.ts";
export { takeOutPaidSql } from "./paid.server.ts";
export { publishCart } from "./publish.server.ts";
export { getCart, priceGuestCart } from "./read.server.ts";
export { changeSize } from "./sizes/change.server.ts";

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

/** The cart's version and number of units, for the live stream. Batched, since one change can notify many streams. */
export async function countCart(on: Db, userId: string): Promise<{ version: number; count: number }> {
  return (await countCarts(on, userId)).get(userId) ?? { version: 0, count: 0 };
}

/** The result of a change. `problem` is a message for the shopper. */
export type CartChange = { ok: true; change: Written } | { ok: false; problem: string };

type Wanted = { id: string; size: string; quantity: number };
/**
 * `key` is the idempotency key of an addition: a repetition with the same key adds nothing, unless another addition to
 * the line came in between.
 */
type WantedMore = Wanted & { key?: string };
type Asked = WantedMore & { userId: string; adds: boolean; most: number };
/**
 * A row of the writing statement's result. If `version` is null, nothing was written, and `quantity`, `isCapped` and
 * `count` have no meaning.
 */
const lineWritten = {
  userId: sqlType.text,
  isBusy: sqlType.bool,
  hasSize: sqlType.bool,
  isFull: sqlType.bool,
  available: sqlType.int,
  color: sqlType.text,
  priceCents: sqlType.int,
  version: sqlType.orNull(sqlType.int),
  quantity: sqlType.int,
  isCapped: sqlType.bool,
  count: sqlType.int,
};
type LineWritten = RowOf<typeof lineWritten>;

// The parts of the statement that writes lines. Stock that is reserved by the shopper's own unpaid order counts as
// available to that shopper.

/** The `where` condition also makes the planner expect few rows. */
const ASKED = `
  select "userId" as user_id, id as product_id, size, quantity, adds, key, most
  from jsonb_to_recordset(:asked)
    as a("userId" text, id text, size text, quantity integer, adds boolean, key uuid, most integer)
  where quantity between 1 and ${MOST_OF_A_LINE}`;

const UNLOCKED =
  "select user_id from carts where user_id in (select user_id from asked) order by user_id for no key update";

const AVAILABLE = `coalesce(on_hand - reserved, 0) + (
    select coalesce(sum(r.quantity), 0)::int from reservations r join orders on orders.id = r.order_id
    where orders.user_id = a.user_id and r.product_id = a.product_id and r.size = a.size
  )`;

/**
 * A line keeps the colour name with which it was added. A product has one colour, but its name may have been edited
 * since.
 */
const WANTED = `
  select a.user_id, a.product_id, a.size, a.quantity, adds, key, most, coalesce(held.color, products.color) as color,
    ${inForceSql("price_cents")} as price_cents,
    coalesce(held.quantity, 0) as before, held.idempotency_key = key as is_again, ${AVAILABLE} as available,
    carts.user_id is not null and free.user_id is null as is_busy, product_sizes.size is not null as has_size,
    held.user_id is null and count_cart_lines(a.user_id) >= ${MOST_LINES} as is_full
  from asked a join products on products.id = product_id and not hidden left join product_sizes using (product_id, size)
    left join carts on carts.user_id = a.user_id left join free on free.user_id = a.user_id
    left join lateral (
      select user_id, color, quantity, idempotency_key from cart_lines own
      where (own.user_id, own.product_id, own.size) = (a.user_id, a.product_id, a.size)
      order by own.color = products.color desc limit 1
    ) held on true`;

const NEXT_VERSION = `
  insert into carts (user_id, version)
  select user_id, 1 from wanted where not is_busy and has_size and not is_full and available > 0 and (adds or quantity <= least(available, most)) order by user_id
  on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
  returning user_id, version`;

/**
 * If the line exists, the sum is computed from the locked row, so that concurrent changes of the same line are
 * included.
 */
const LINE = `
  insert into cart_lines (user_id, product_id, size, color, quantity, price_cents, idempotency_key)
  select user_id, product_id, size, color, least(quantity, available, most), price_cents, key
  from head join wanted using (user_id)
  on conflict (user_id, product_id, size, color) do update set
    quantity = case when cart_lines.idempotency_key = excluded.idempotency_key then cart_lines.quantity else (
      select least(w.quantity + case when adds then cart_lines.quantity else 0 end, available, most)
      from wanted w where w.user_id = excluded.user_id
    ) end,
    price_cents = excluded.price_cents, idempotency_key = coalesce(excluded.idempotency_key, cart_lines.idempotency_key)
  returning user_id, quantity`;

const WRITTEN = `
  select user_id, is_busy, has_size, is_full, available, color, price_cents, version::int, line.quantity,
    adds and is_again is not true and before + w.quantity > line.quantity as is_capped,
    line.quantity - before + (
      select coalesce(sum(quantity), 0)::int from cart_lines where user_id = w.user_id
    ) as count
  from wanted w left join head using (user_id) left join line using (user_id)`;

/**
 * Writes one line in each of several shoppers' carts with a single statement: one round trip, and locks are held
 * briefly.
 */
const writing = (lockedByOthers: "skip locked" | "") =>
  statement(
    { takes: { asked: sqlType.json<Asked[]>() }, gives: lineWritten },
    `with asked as (${ASKED}), free as (${UNLOCKED} ${lockedByOthers}), wanted as (${WANTED}),
       head as (${NEXT_VERSION}), line as (${LINE}) ${WRITTEN}`,
  );
const [writeFree, writeWaiting] = [writing("skip locked"), writing("")];

/**
 * Writes simultaneous changes of several shoppers, at most one per shopper. Locked carts are skipped, so that no
 * shopper waits for the lock of another shopper's cart. Skipped changes are missing from the result.
 */
const writeBatched = batched(async (on, all: Asked[]): Promise<Map<Asked, LineWritten | undefined>> => {
  const asked = [...new Map(all.toReversed().map((one) => [one.userId, one])).values()];
  const rows = await writeFree(on, { asked }).catch((error) => {
    if (error.severity === "ERROR") return undefined; // one change failed, so none was written: retry each alone
    throw error;
  });
  const written = new Map(rows?.map((row) => [row.userId, row]));
  const done = asked.filter(({ userId }) => rows && !written.get(userId)?.isBusy);
  return new Map(done.map((one) => [one, written.get(one.userId)]));
});

/** Adds units to the line. The sum is capped at the stock and at the owner's limit. Safe to repeat with a `key`. */
export async function addToCart(on: Db, userId: string, { id, size, quantity, key }: WantedMore): Promise<CartChange> {
  return write(on, userId, { id, size, quantity, key }, true);
}

/** Sets the line's quantity. A quantity above the stock or the owner's limit is refused, not capped. Safe to repeat. */
export async function setQuantity(on: Db, userId: string, { id, size, quantity }: Wanted): Promise<CartChange> {
  return write(on, userId, { id, size, quantity }, false);
}

async function write(on: Db, userId: string, wanted: WantedMore, adds: boolean): Promise<CartChange> {
  const { id, size } = wanted;
  const most = mostOfASize();
  const asked = { userId, ...wanted, adds, most };
  const round = await writeBatched(on, asked);
  const line = round.has(asked) ? round.get(asked) : (await writeWaiting(on, { asked: [asked] }))[0];
  if (!line) {
    logInternalError("productNotFound", { product: id, size });
    return { ok: false, problem: messages.product.notFound };
  }
  const { userId: _, isBusy, hasSize, isFull, version, priceCents, ...written } = line;
  if (!hasSize) {
    logInternalError("sizeNotFound", { product: id, size });
    return { ok: false, problem: messages.cartOther.unknownSize };
  }
  if (isFull) return { ok: false, problem: messages.cartOther.tooManyLines(MOST_LINES) };
  const maxQuantity = Math.min(line.available, most);
  if (version === null) return { ok: false, problem: limitText({ availableQuantity: line.available, maxQuantity }) };
  await publishCart(on, userId);
  return { ok: true, change: { id, size, ...written, maxQuantity, version, priceCents: usdCents(priceCents) } };
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

/** Removes a line. Safe to repeat: if the line does not exist, only the cart's version changes. */
export async function removeFromCart(
  on: Db,
  userId: string,
  { id, size }: { id: string; size: string },
): Promise<Written> {
  const [removed] = await removeLine(on, { userId, id, size });
  await publishCart(on, userId);
  if (!removed) throw new Error("A removed line must have a version");
  return {
    id,
    size,
    color: "",
    quantity: 0,
    priceCents: usdCents(0),
    available: 0,
    maxQuantity: 0,
    isCapped: false,
    ...removed,
  };
}
