import { batched } from "#app/infra/database/batch.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { intervalSql, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { IS_LIVE } from "../state.ts";
import { TURN_LASTS, TURN_LASTS_AGAIN } from "../time-limits.ts";
import type { Stand } from "./queue.ts";

const TURN = intervalSql(TURN_LASTS);
/** How often places are numbered and turns begin. */
const ROUND = intervalSql(SECOND);

/** SQL: whether the shopper of the place `place` has paid for the product since the turn began. */
const boughtInSql = (place: string) => `exists (
  select from sales join sale_lines on sale_lines.sale_id = sales.id
  where sales.user_id = ${place}.user_id and sales.created_at >= ${place}.let_in_at and sale_lines.product_id = ${place}.product_id)`;

/** SQL: whether the place `place` has a turn now. A turn ends by time, or with a purchase of the product. */
const hasTurnSql = (place: string) => `(${place}.let_in_at > now() - ${TURN} and not ${boughtInSql(place)})`;

/** SQL: the pieces of a product that the shopper's live order reserves. */
const heldSql = (userId: string, productId: string) => `(
  select coalesce(sum(reservations.quantity), 0)::int from orders join reservations on reservations.order_id = orders.id
  where orders.user_id = ${userId} and ${IS_LIVE} and expires_at > now() and reservations.product_id = ${productId})`;

/**
 * SQL in a query of a shopper's cart: null if the product is not queued for, else whether this shopper may order it. An
 * order that reserves the product for the shopper may be replaced by one of as many pieces, also after the turn.
 */
export const mayOrderSql = (userId: string, productId: string) => `case when exists (
    select from queues where queues.product_id = ${productId}
  ) then exists (
    select from queue_places place where place.product_id = ${productId} and place.user_id = ${userId} and ${hasTurnSql("place")}
  ) or ${heldSql(userId, productId)} >= (
    select sum(quantity) from cart_lines where cart_lines.user_id = ${userId} and cart_lines.product_id = ${productId}
  ) end`;

/**
 * SQL: whether an order that was made at `at` had a turn for the product, or is paid while none is needed. Orders that
 * were made while this queue or a former one was on had a turn.
 */
export const wasInTurnSql = (productId: string, at: string) => `(
  not exists (select from queues where queues.product_id = ${productId} and switched_on_at > ${at})
  or exists (
    select from ended_queues e where e.product_id = ${productId} and ${at} >= e.switched_on_at and ${at} < e.ended_at))`;

/** SQL: the pieces of the product that are neither reserved nor for somebody's turn. */
const freeSql = (productId: string) => `greatest(0,
  (select coalesce(sum(on_hand - reserved), 0) from product_sizes where product_sizes.product_id = ${productId})
  - (select count(*) from queue_places p
     where p.product_id = ${productId} and p.let_in_at > now() - ${TURN} and p.used_at is null))::int`;

const place = statement(
  {
    takes: { productId: sqlType.text, userId: sqlType.orNull(sqlType.text) },
    gives: {
      title: sqlType.text,
      opensAt: sqlType.time,
      isOpen: sqlType.bool,
      isDue: sqlType.bool,
      pace: sqlType.int,
      letIn: sqlType.int,
      waiting: sqlType.int,
      hasPlace: sqlType.bool,
      number: sqlType.orNull(sqlType.int),
      turnEndsAt: sqlType.orNull(sqlType.time),
      hasTurn: sqlType.bool,
      hasBought: sqlType.bool,
      isInCart: sqlType.bool,
      held: sqlType.int,
      onHand: sqlType.int,
      free: sqlType.int,
    },
  },
  `select title, opens_at, opens_at <= now() as is_open,
     opens_at <= now() and coalesce(rounded_at < now() - ${ROUND}, true) as is_due, pace, let_in, numbered - let_in as waiting,
     place.user_id is not null as has_place, number, let_in_at + ${TURN} as turn_ends_at,
     coalesce(${hasTurnSql("place")}, false) as has_turn,
     let_in_at is not null and ${boughtInSql("place")} as has_bought,
     exists (select from cart_lines l where l.user_id = :userId and l.product_id = :productId) as is_in_cart,
     ${heldSql(":userId", ":productId")} as held, ${freeSql("queues.product_id")} as free,
     (select coalesce(sum(on_hand), 0)::int from product_sizes where product_sizes.product_id = queues.product_id) as on_hand
   from queues join queue_rounds using (product_id) join products on products.id = queues.product_id
     left join queue_places place on place.product_id = queues.product_id and place.user_id = :userId
   where queues.product_id = :productId and not hidden`,
);
type Row = Awaited<ReturnType<typeof place>>[number];

/** The queue of a product, after a round if one is due. Undefined if the product is not queued for, or hidden. */
export async function standIn(on: Db, productId: string, userId: string | null): Promise<Stand | undefined> {
  const [row] = await place(on, { productId, userId });
  if (!row?.isDue) return row && standOf(row);
  await beginTurns(on, productId);
  const [after] = await place(on, { productId, userId });
  return after && standOf(after);
}

function standOf(row: Row): Stand {
  const { title, opensAt, pace, waiting, isInCart } = row;
  return { title, opensAt, pace, waiting, isInCart, place: placeOf(row) };
}

function placeOf(row: Row): Stand["place"] {
  const { isOpen, number, letIn, turnEndsAt, onHand, free } = row;
  if (row.held > 0) return { is: "held" };
  if (!row.hasPlace) return { is: "none", isOpen };
  if (turnEndsAt && row.hasTurn) return { is: "turn", endsAt: turnEndsAt };
  if (turnEndsAt) return { is: row.hasBought ? "bought" : "passed" };
  if (!isOpen) return { is: "drawn-later" };
  const ahead = number === null ? undefined : Math.max(1, number - letIn);
  const left = free >= (ahead ?? 1) ? "enough" : free > 0 ? "few" : onHand > 0 ? "reserved" : "none";
  return { is: "waiting", left, ...(ahead !== undefined && { ahead }) };
}

const takePlace = statement(
  { takes: { productIds: sqlType.textList(), userId: sqlType.text }, gives: {} },
  `insert into queue_places as place (product_id, user_id)
     select product_id, :userId from queues join products on products.id = product_id and not hidden
     where product_id = any(:productIds::text[]) order by product_id for key share of queues
   on conflict (product_id, user_id) do update
     set asked_at = clock_timestamp(), draw = gen_random_uuid(), number = null, let_in_at = null, used_at = null
     where place.let_in_at is not null and not ${hasTurnSql("place")}`,
);

/**
 * Gives the account its place in the queues of these products. It has one place in each: who has one keeps it, and
 * whose turn is over goes to the end. Returns the first product for which the account has to wait.
 */
export async function queueFor(on: Db, userId: string, productIds: readonly string[]): Promise<string | undefined> {
  await takePlace(on, { productIds: [...productIds], userId });
  for (const productId of productIds) {
    const stand = await standIn(on, productId, userId);
    if (stand && stand.place.is !== "turn") return productId;
  }
  return;
}

const markUsed = statement(
  { takes: { productIds: sqlType.textList(), userId: sqlType.text }, gives: {} },
  `update queue_places set used_at = now()
   where user_id = :userId and product_id = any(:productIds::text[]) and let_in_at is not null and used_at is null`,
);

/** Marks the shopper's turns as used: an order reserves or takes what they were for. */
export async function markTurnsUsed(trx: Transaction, userId: string, productIds: string[]): Promise<void> {
  await markUsed(trx, { userId, productIds });
}

/**
 * A part of an SQL query that ends an order's reservation without a sale: the shopper's turns for the products of the
 * relation `ended` are unused again, so that nobody else's turn begins for these pieces while they last.
 */
export const unusedAgainSql = (orderId: string, ended: string) => `unused_again as (
     update queue_places place set used_at = null from orders
     where orders.id = ${orderId} and place.user_id = orders.user_id and place.product_id in (select product_id from ${ended})
       and place.used_at is not null and place.let_in_at > now() - ${TURN}
   )`;

const lengthen = statement(
  { takes: { orderId: sqlType.uuid }, gives: {} },
  `update queue_places place set used_at = null, let_in_at = now() - ${TURN} + ${intervalSql(TURN_LASTS_AGAIN)}
   from orders
   where orders.id = :orderId and place.user_id = orders.user_id
     and place.product_id in (select line ->> 'productId' from jsonb_array_elements(orders.lines) line)
     and place.let_in_at < least(orders.created_at, now() - ${TURN} + ${intervalSql(TURN_LASTS_AGAIN)})
     and exists (select from payments where order_id = orders.id and state = 'unpaid' and access_code is null)
     and not ${boughtInSql("place")}`,
);

/**
 * Lets the turns in which an order was made last for at least `TURN_LASTS_AGAIN` from now on, if the provider has
 * opened no payment of the order.
 */
export async function lengthenTurns(trx: Transaction, orderId: string): Promise<void> {
  await lengthen(trx, { orderId });
}

const lockRound = statement(
  { takes: { productId: sqlType.text }, gives: { productId: sqlType.text } },
  `select product_id from queue_rounds join queues using (product_id)
   where product_id = :productId and opens_at <= now() and coalesce(rounded_at < now() - ${ROUND}, true)
   for no key update of queue_rounds skip locked`,
);
/**
 * Numbers the places that have none: those taken before the opening by their draw, then the others as they came. Begins
 * as many turns as the pace and the pieces that are neither reserved nor somebody's turn allow. A pace that was not
 * used up leaves one turn to begin at once.
 */
const round = statement(
  { takes: { productId: sqlType.text }, gives: {} },
  `with queue as (
     select product_id, opens_at, pace, paced_at, numbered,
       least(pace, floor(extract(epoch from clock_timestamp() - paced_at) * pace / 60))::int as due,
       ${freeSql("queues.product_id")} as free
     from queues join queue_rounds using (product_id) where product_id = :productId
   ), unnumbered as (
     select user_id, numbered + row_number() over (
       order by case when asked_at < opens_at then draw end nulls last, asked_at, user_id
     )::int as number
     from queue_places join queue using (product_id) where number is null and let_in_at is null
   ), waiting as (
     (select user_id, number from queue_places
      where product_id = :productId and let_in_at is null and number is not null
      order by number limit (select least(due, free) from queue))
     union all select user_id, number from unnumbered
   ), moved as (
     update queue_places p set number = w.number, let_in_at = case when is_next then now() end
     from (
       select user_id, number, row_number() over (order by number) <= least(due, free) as is_next from waiting, queue
     ) w
     where p.product_id = :productId and p.user_id = w.user_id
     returning p.number, is_next
   ), counts as (
     select count(*) filter (where is_next) as begun, max(number) as numbered, max(number) filter (where is_next) as let_in from moved
   )
   update queue_rounds r set rounded_at = clock_timestamp(),
     numbered = greatest(r.numbered, counts.numbered), let_in = greatest(r.let_in, counts.let_in),
     paced_at = case
       when due = 0 then r.paced_at
       when begun < due then clock_timestamp() - interval '1 minute' / pace
       when due = pace then clock_timestamp()
       else r.paced_at + due * interval '1 minute' / pace end
   from queue, counts where r.product_id = queue.product_id`,
);

/** Runs a round of each queue for which one is due, unless another process is running it. */
const beginTurns = batched(async (on, productIds: string[]) => {
  for (const productId of productIds)
    await retryingTransaction(on, async (trx) => {
      const [locked] = await lockRound(trx, { productId });
      if (locked) await round(trx, { productId });
    });
});
