import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { type SqlType, sqlType, statement } from "#app/infra/database/statement.server.ts";
import type { OrderLine } from "#db/types.ts";
import type { NamedShortage, Shortage, Units } from "./units.ts";

/** One entry a size, whatever colours and lines it is spread over. */
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

/** How many units of a size can be bought: in stock, and not reserved. */
export type Availability = (unit: { productId: string; size: string }) => number;

/** Units as a statement's one value, and how it reads them as a table. */
export const unitsType: SqlType<readonly Units[]> = { ...sqlType.json<readonly Units[]>(), encode: unitsAsJson };
function unitsAsJson(units: readonly Units[]): string {
  return JSON.stringify(units.map(({ productId, size, quantity }) => ({ product_id: productId, size, quantity })));
}
const AS_UNITS = "as u(product_id text, size text, quantity integer)";
/** No stronger than needed: a reservation's foreign key to a size does not have to wait for it. */
const LOCK = "for no key update of s";

/** Locks the sizes until the transaction's end, in one fixed order, so that two orders never wait for each other. */
export async function lockSizes(trx: Transaction, units: readonly Units[]): Promise<Availability> {
  const { rows } = await sql<{ productId: string; size: string; available: number }>`
    select s.product_id, s.size, s.on_hand - s.reserved as available
    from product_sizes s join ${asTable(unitsOf(units))} using (product_id, size)
    order by s.product_id, s.size ${sql.raw(LOCK)}`.execute(trx);
  return availabilityOf(rows);
}

export function availabilityOf(sizes: readonly { productId: string; size: string; available: number }[]): Availability {
  const available = new Map(sizes.map((one) => [keyOf(one), one.available]));
  return (unit) => available.get(keyOf(unit)) ?? 0;
}

/** What could be bought if these units were released; each size once. */
export function withUnits(availability: Availability, units: readonly Units[]): Availability {
  const more = new Map(units.map((one) => [keyOf(one), one.quantity]));
  return (unit) => availability(unit) + (more.get(keyOf(unit)) ?? 0);
}

export function shortages(units: readonly Units[], availability: Availability): Shortage[] {
  return units
    .map((unit) => ({ ...unit, available: availability(unit) }))
    .filter((unit) => unit.available < unit.quantity);
}

/** What the shopper wants of these lines and cannot have, with its names. */
export function namedShortages(lines: readonly OrderLine[], availability: Availability): NamedShortage[] {
  const titleOf = (id: string) => lines.find(({ productId }) => productId === id)?.title ?? id;
  return shortages(unitsOf(lines), availability).map((unit) => ({ ...unit, title: titleOf(unit.productId) }));
}

/** What of these lines can be had, the first ones first. */
export function inStock(lines: readonly OrderLine[], availability: Availability): OrderLine[] {
  const left = new Map<string, number>();
  return lines.flatMap((line) => {
    const before = left.get(keyOf(line)) ?? availability(line);
    const quantity = Math.min(line.quantity, before);
    left.set(keyOf(line), before - quantity);
    return quantity > 0 ? [{ ...line, quantity }] : [];
  });
}

const REFUSED = "IR001"; // the code of the database's function refuse()

/** Another shopper has taken the stock meanwhile: the transaction is undone, and may be tried again with what is left. */
export function isStockTaken(error: unknown): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === REFUSED;
}

/**
 * Reserves units for the order that `order` inserts, as parts of that statement; `ALL_RESERVED` belongs to what it selects, and fails it where
 * a size has not enough. It comes last in its transaction: a size that everybody wants is locked by one statement and the commit alone.
 */
export const reserve = (order: string, units: string) =>
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

/** Ends an order's reservation, as parts of a statement that locks its sizes: the units can be bought again, or are sold. */
export const endReservation = (orderId: string, to: "released" | "sold") =>
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
  { takes: { orderId: sqlType.uuid }, gives: {} },
  `with ${endReservation(":orderId", "released")} select`,
);

/** Ends an order's reservation: its units can be bought again. Does nothing where there is none. */
export async function releaseReservation(trx: Transaction, orderId: string): Promise<void> {
  await end(trx, { orderId });
}

/** Sells units that were not reserved. The caller has seen that there are enough, under the lock. */
export async function sellUnreserved(trx: Transaction, units: readonly Units[]): Promise<void> {
  await sql`
    update product_sizes s set sold = s.sold + u.quantity
    from ${asTable(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

/** Holds units for an exchange; where not all of them can be had, what is missing comes back and nothing is held. */
export async function holdUnits(trx: Transaction, pieces: readonly Units[]): Promise<Shortage[]> {
  const units = unitsOf(pieces);
  const missing = shortages(units, await lockSizes(trx, units));
  if (missing.length > 0) return missing;
  await sql`
    update product_sizes s set reserved = s.reserved + u.quantity
    from ${asTable(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
  return [];
}

/** Ends what `holdUnits` has held: the units can be bought again, or have left. */
export async function endHold(trx: Transaction, pieces: readonly Units[], to: "released" | "sold"): Promise<void> {
  const units = unitsOf(pieces);
  await lockSizes(trx, units);
  const sold = to === "sold" ? sql`, sold = s.sold + u.quantity` : sql``;
  await sql`
    update product_sizes s set reserved = s.reserved - u.quantity ${sold}
    from ${asTable(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

/** Puts sold units back into stock; what was ever sold stays counted. */
export async function restockUnits(trx: Transaction, units: readonly Units[]): Promise<void> {
  await lockSizes(trx, units);
  await sql`
    update product_sizes s set supplied = s.supplied + u.quantity
    from ${asTable(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

function asTable(units: readonly Units[]) {
  return sql`jsonb_to_recordset(${unitsAsJson(units)}::jsonb) ${sql.raw(AS_UNITS)}`;
}
