import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { type RowOf, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import * as messages from "#app/messages.ts";
import { usdCents } from "#app/money/money.ts";
import { limitText, MOST_OF_A_LINE, type Written } from "./cart.ts";
import { mostOfASize } from "./limit.server.ts";
import { publishCart } from "./publish.server.ts";

export { mergeFromForm, mergeGuestCart } from "./merge.server.ts";
export { takeOutPaid } from "./paid.server.ts";
export { publishCart } from "./publish.server.ts";
export { getCart, priceGuestCart } from "./read.server.ts";

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

/** `problem` is for the shopper. */
export type CartChange = { ok: true; change: Written } | { ok: false; problem: string };

type Wanted = { id: string; size: string; quantity: number };
/** `key` is the idempotency key of an addition: repeated under the same one, before anything else is added to the line, it adds nothing. */
type WantedMore = Wanted & { key?: string };
type Asked = WantedMore & { userId: string; adds: boolean; most: number };
/** Without a version nothing was written, and the quantities are those of no line. */
const lineWritten = {
  userId: sqlType.text,
  isBusy: sqlType.bool,
  hasSize: sqlType.bool,
  available: sqlType.int,
  color: sqlType.text,
  priceCents: sqlType.int,
  version: sqlType.orNull(sqlType.int),
  quantity: sqlType.int,
  isCapped: sqlType.bool,
  count: sqlType.int,
};
type LineWritten = RowOf<typeof lineWritten>;

// The parts of the statement that writes lines. Each shopper's own live order holds stock that counts as available to that shopper.

/** The condition also lets the planner expect few rows. */
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

const WANTED = `
  select a.user_id, a.product_id, a.size, a.quantity, adds, key, most, products.color, products.price_cents,
    coalesce(held.quantity, 0) as before, held.idempotency_key = key as is_again, ${AVAILABLE} as available,
    carts.user_id is not null and free.user_id is null as is_busy, product_sizes.size is not null as has_size
  from asked a join products on products.id = product_id and not hidden left join product_sizes using (product_id, size)
    left join carts on carts.user_id = a.user_id left join free on free.user_id = a.user_id
    left join cart_lines held
      on (held.user_id, held.product_id, held.size, held.color) = (a.user_id, a.product_id, a.size, products.color)`;

const NEXT_VERSION = `
  insert into carts (user_id, version)
  select user_id, 1 from wanted where not is_busy and has_size and available > 0 and (adds or quantity <= least(available, most)) order by user_id
  on conflict (user_id) do update set version = carts.version + 1, updated_at = now()
  returning user_id, version`;

/** If the line exists, the sum is computed from the row once it is locked, with what others have written meanwhile. */
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
  select user_id, is_busy, has_size, available, color, price_cents, version::int, line.quantity,
    adds and is_again is not true and before + w.quantity > line.quantity as is_capped,
    line.quantity - before + (
      select coalesce(sum(quantity), 0)::int from cart_lines where user_id = w.user_id
    ) as count
  from wanted w left join head using (user_id) left join line using (user_id)`;

/** Writes one line in each of several shoppers' carts with one statement: one round trip and short locks. */
const writing = (lockedByOthers: "skip locked" | "") =>
  statement(
    { takes: { asked: sqlType.json<Asked[]>() }, gives: lineWritten },
    `with asked as (${ASKED}), free as (${UNLOCKED} ${lockedByOthers}), wanted as (${WANTED}),
       head as (${NEXT_VERSION}), line as (${LINE}) ${WRITTEN}`,
  );
const [writeFree, writeWaiting] = [writing("skip locked"), writing("")];

/** Simultaneous changes of several shoppers, one each. Locked carts are left out, so that nobody waits for another's. */
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

/** Adds to the line; the sum is capped at the stock and at the owner's limit. Safe to repeat with a `key`. */
export async function addToCart(on: Db, userId: string, { id, size, quantity, key }: WantedMore): Promise<CartChange> {
  return write(on, userId, { id, size, quantity, key }, true);
}

/** Sets the quantity; more than the stock or the owner's limit is refused, not capped. Safe to repeat. */
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
  const { userId: _, isBusy, hasSize, version, priceCents, ...written } = line;
  if (!hasSize) {
    logInternalError("sizeNotFound", { product: id, size });
    return { ok: false, problem: messages.cartOther.unknownSize };
  }
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

/** Safe to repeat: removing a missing line changes only the cart's version. */
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
