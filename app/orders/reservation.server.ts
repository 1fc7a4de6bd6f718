import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { type SqlType, sqlType, statement } from "#app/infra/database/statement.server.ts";
import { freeOffersSql } from "#app/offers/offers.server.ts";
import type { OrderLine } from "#db/types.ts";
import { unusedAgainSql } from "./queue/queue.server.ts";
import type { SizeOnSale } from "./returns/rules.ts";
import type { NamedShortage, Shortage, Units } from "./units.ts";

/** The units of the lines, one entry per size, whatever their colours. */
export function unitsOf(lines: readonly Units[]): Units[] {
  const sums = new Map<string, Units>();
  for (const line of lines) {
    const { productId, size, quantity } = line;
    sums.set(keyOf(line), { productId, size, quantity: quantity + (sums.get(keyOf(line))?.quantity ?? 0) });
  }
  return [...sums.values()];
}

function keyOf({ productId, size }: { productId: string; size: string }): string {
  return `${productId} ${size}`;
}

/** The number of units of a size that can be bought: in stock and not reserved. */
export type Availability = (unit: { productId: string; size: string }) => number;

/** Units as a statement's single parameter, and how the statement reads them as a table. */
export const unitsType: SqlType<readonly Units[]> = { ...sqlType.json<readonly Units[]>(), encode: unitsAsJson };
function unitsAsJson(units: readonly Units[]): string {
  return JSON.stringify(units.map(({ productId, size, quantity }) => ({ product_id: productId, size, quantity })));
}
const AS_UNITS = "as u(product_id text, size text, quantity integer)";
/** The weakest sufficient lock: inserting a reservation, with its foreign key to the size, does not wait for it. */
const LOCK = "for no key update of s";

/**
 * Locks sizes until the transaction ends, in a fixed order, so that two orders never deadlock. Returns their
 * availability.
 */
export async function lockSizes(trx: Transaction, units: readonly Units[]): Promise<Availability> {
  const { rows } = await sql<{ productId: string; size: string; available: number }>`
    select s.product_id, s.size, s.on_hand - s.reserved as available
    from product_sizes s join ${unitsTableSql(unitsOf(units))} using (product_id, size)
    order by s.product_id, s.size ${sql.raw(LOCK)}`.execute(trx);
  return availabilityOf(rows);
}

/** The sizes of these products, and how many of each are available. In no particular order. */
export function sizesOf(on: Db | Transaction, products: readonly { productId: string }[]): Promise<SizeOnSale[]> {
  return on
    .selectFrom("productSizes")
    .select(["productId", "size", sql<number>`on_hand - reserved`.as("available")])
    .where("productId", "in", ["", ...products.map(({ productId }) => productId)])
    .execute();
}

export function availabilityOf(sizes: readonly { productId: string; size: string; available: number }[]): Availability {
  const available = new Map(sizes.map((one) => [keyOf(one), one.available]));
  return (unit) => available.get(keyOf(unit)) ?? 0;
}

/** The availability if these units were released. `units` must have each size only once. */
export function withUnits(availability: Availability, units: readonly Units[]): Availability {
  const more = new Map(units.map((one) => [keyOf(one), one.quantity]));
  return (unit) => availability(unit) + (more.get(keyOf(unit)) ?? 0);
}

export function shortages(units: readonly Units[], availability: Availability): Shortage[] {
  return units
    .map((unit) => ({ ...unit, available: availability(unit) }))
    .filter((unit) => unit.available < unit.quantity);
}

/** The shortages of these lines, with the products' titles. */
export function namedShortages(lines: readonly OrderLine[], availability: Availability): NamedShortage[] {
  const titleOf = (id: string) => lines.find(({ productId }) => productId === id)?.title ?? id;
  return shortages(unitsOf(lines), availability).map((unit) => ({ ...unit, title: titleOf(unit.productId) }));
}

/** The part of these lines that is available. Earlier lines take precedence. */
export function inStock<L extends OrderLine>(lines: readonly L[], availability: Availability): L[] {
  const left = new Map<string, number>();
  return lines.flatMap((line) => {
    const before = left.get(keyOf(line)) ?? availability(line);
    const quantity = Math.min(line.quantity, before);
    left.set(keyOf(line), before - quantity);
    return quantity > 0 ? [{ ...line, quantity }] : [];
  });
}

/** Per cent of each size's stock that orders of staff may hold, all of them together, until the owner sets another. */
export const STAFF_SHARE = 25;

/** The part of a size that orders of staff may hold, in words: "a quarter", "30%". */
export async function staffShareText(on: Db | Transaction): Promise<string> {
  const row = await on.selectFrom("shopSettings").select("staffShare").executeTakeFirst();
  const share = row?.staffShare ?? STAFF_SHARE;
  return share === 25 ? "a quarter" : `${share}%`;
}

/**
 * How many units of each of these sizes further orders of staff may hold; all of them together may hold one of each.
 * The caller has locked the sizes, so that no other order changes the result meanwhile.
 */
export async function leftForStaff(trx: Transaction, units: readonly Units[]): Promise<Availability> {
  const { rows } = await sql<{ productId: string; size: string; available: number }>`
    select s.product_id, s.size, greatest(1, floor(
      s.on_hand * coalesce((select staff_share from shop_settings), ${STAFF_SHARE}::int)::numeric / 100
    ))::int - coalesce((
      select sum(r.quantity) from reservations r join staff_orders using (order_id)
      where r.product_id = s.product_id and r.size = s.size
    ), 0)::int as available
    from product_sizes s join ${unitsTableSql(units)} using (product_id, size)`.execute(trx);
  return availabilityOf(rows);
}

const REFUSED = "IR001"; // the error code of the database function refuse()

/**
 * Whether an error means that stock or an offer is no longer available. The transaction is rolled back and may be
 * retried with what is left.
 */
export function isStockTaken(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === REFUSED;
}

/**
 * SQL parts that reserve units for the order that the part `order` inserts. `ALL_RESERVED` must be among the
 * statement's selected columns: it makes the statement fail if a size has too few units. The statement must be the last
 * of its transaction, so that popular sizes are locked only briefly.
 */
export const reserveSql = (order: string, units: string) =>
  `units as (select product_id, size, quantity from jsonb_to_recordset(${units}) ${AS_UNITS}),
   held as (
     insert into reservations (order_id, product_id, size, quantity)
     select ${order}.id, product_id, size, quantity from units, ${order}
   ), wanted as (
     select s.product_id, s.size, units.quantity, s.on_hand - s.reserved as available
     from product_sizes s join units using (product_id, size)
     order by s.product_id, s.size ${LOCK}
   ), taken as (
     update product_sizes s set reserved = s.reserved + w.quantity
     from wanted w where s.product_id = w.product_id and s.size = w.size and w.available >= w.quantity
     returning s.size
   )`;

export const ALL_RESERVED =
  "case when (select count(*) from taken) < (select count(*) from units) then refuse('taken meanwhile') end";

/** SQL parts that end an order's reservation and lock its sizes. Its units become available again, or sold. */
export const endReservationSql = (orderId: string, to: "released" | "sold") =>
  `ended as (
     delete from reservations where order_id = ${orderId} returning product_id, size, quantity
   ), locked as (
     select s.product_id, s.size, ended.quantity from product_sizes s join ended using (product_id, size)
     order by s.product_id, s.size ${LOCK}
   ), stock as (
     update product_sizes s set reserved = s.reserved - l.quantity ${to === "sold" ? ", sold = s.sold + l.quantity" : ""}
     from locked l where s.product_id = l.product_id and s.size = l.size
   )`;

const end = statement(
  { takes: { orderId: sqlType.uuid }, gives: { freed: sqlType.bool } },
  `with ${endReservationSql(":orderId", "released")}, ${unusedAgainSql(":orderId", "ended")}
   select case when (select count(*) from locked) >= 0 then ${freeOffersSql(":orderId")} end as freed`,
);

/**
 * Ends an order's reservation: its units and its uses of offers become available again, and the shopper's turn in a
 * queue is unused again. Does nothing if there is none.
 */
export async function releaseReservation(trx: Transaction, orderId: string): Promise<void> {
  await end(trx, { orderId });
}

/** Sells units that were not reserved. The caller has locked the sizes and checked that there are enough. */
export async function sellUnreserved(trx: Transaction, units: readonly Units[]): Promise<void> {
  await sql`
    update product_sizes s set sold = s.sold + u.quantity
    from ${unitsTableSql(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

/**
 * Exchanges sold units that have not left for those of another size: these are sold, and the former ones are not. The
 * caller has locked both sizes and checked that there are enough.
 */
export function exchangeSold(trx: Transaction, former: Units, other: Units): Promise<void> {
  return sellUnreserved(trx, [other, { ...former, quantity: -former.quantity }]);
}

/** Reserves units for an exchange. If some are not available, reserves nothing and returns the shortages. */
export async function holdUnits(trx: Transaction, pieces: readonly Units[]): Promise<Shortage[]> {
  const units = unitsOf(pieces);
  const missing = shortages(units, await lockSizes(trx, units));
  if (missing.length > 0) return missing;
  await sql`
    update product_sizes s set reserved = s.reserved + u.quantity
    from ${unitsTableSql(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
  return [];
}

/** Ends a reservation of `holdUnits`: the units are available again, or sold. */
export async function endHold(trx: Transaction, pieces: readonly Units[], to: "released" | "sold"): Promise<void> {
  const units = unitsOf(pieces);
  await lockSizes(trx, units);
  const sold = to === "sold" ? sql`, sold = s.sold + u.quantity` : sql``;
  await sql`
    update product_sizes s set reserved = s.reserved - u.quantity ${sold}
    from ${unitsTableSql(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

/** Puts sold units back into stock, as newly supplied ones. The number of units ever sold does not change. */
export async function restockUnits(trx: Transaction, units: readonly Units[]): Promise<void> {
  await lockSizes(trx, units);
  await sql`
    update product_sizes s set supplied = s.supplied + u.quantity
    from ${unitsTableSql(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

function unitsTableSql(units: readonly Units[]) {
  return sql`jsonb_to_recordset(${unitsAsJson(units)}::jsonb) ${sql.raw(AS_UNITS)}`;
}
