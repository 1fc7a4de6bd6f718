import { type RawBuilder, sql } from "kysely";
import type { Transaction } from "#app/infra/db.server.ts";
import type { Shortage, Units } from "./outcomes.ts";

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

/** How many units of a size lie on the shelf beside what is reserved. */
export type Shelf = (unit: { productId: string; size: string }) => number;

/** Locks the sizes until the transaction's end, in one fixed order, so that two orders never wait for each other. */
export function lockSizes(trx: Transaction, units: readonly Units[]): Promise<Shelf> {
  return readShelf(trx, units, LOCK);
}

/** The sizes as they are, for a first look: what is there now may be taken by somebody else in the next moment. */
export function lookAtSizes(trx: Transaction, units: readonly Units[]): Promise<Shelf> {
  return readShelf(trx, units, sql``);
}

/** No stronger than needed: a reservation's foreign key to a size does not have to wait for it. */
const LOCK = sql`for no key update of s`;

async function readShelf(trx: Transaction, units: readonly Units[], lock: RawBuilder<unknown>): Promise<Shelf> {
  const { rows } = await sql<{ productId: string; size: string; available: number }>`
    select s.product_id, s.size, s.on_hand - s.reserved as available
    from product_sizes s join ${asTable(unitsOf(units))} using (product_id, size)
    order by s.product_id, s.size ${lock}`.execute(trx);
  const available = new Map(rows.map((row) => [keyOf(row), row.available]));
  return (unit) => available.get(keyOf(unit)) ?? 0;
}

export function shortages(units: readonly Units[], shelf: Shelf): Shortage[] {
  return units.map((unit) => ({ ...unit, available: shelf(unit) })).filter((unit) => unit.available < unit.quantity);
}

/** Somebody else was quicker: the transaction must be undone, and begun anew with what is there now. */
export class TakenMeanwhile extends Error {}

/**
 * Puts units aside for an attempt; throws `TakenMeanwhile` when there are not enough. It comes last in its transaction: a size that everybody
 * wants is locked by one statement and the commit alone.
 */
export async function reserve(trx: Transaction, attemptId: string, units: readonly Units[]): Promise<void> {
  await trx
    .insertInto("reservations")
    .values(units.map((unit) => ({ attemptId, ...unit })))
    .execute();
  const { rows } = await sql`
    with wanted as (
      select s.product_id, s.size, u.quantity, s.on_hand - s.reserved as available
      from product_sizes s join ${asTable(units)} using (product_id, size)
      order by s.product_id, s.size ${LOCK}
    )
    update product_sizes s set reserved = s.reserved + w.quantity
    from wanted w where s.product_id = w.product_id and s.size = w.size and w.available >= w.quantity
    returning s.size`.execute(trx);
  if (rows.length < units.length) throw new TakenMeanwhile(`${units.length - rows.length} sizes were taken meanwhile`);
}

/** Ends an attempt's reservation: its units go back on the shelf, or out of the shop as sold. */
export async function endReservation(trx: Transaction, attemptId: string, how: "returned" | "sold"): Promise<void> {
  const units = await trx.deleteFrom("reservations").where("attemptId", "=", attemptId).returningAll().execute();
  await lockSizes(trx, units);
  await sql`
    update product_sizes s set
      reserved = s.reserved - u.quantity,
      sold = s.sold + ${how === "sold" ? sql`u.quantity` : sql`0`}
    from ${asTable(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

/** Sells units that were not put aside. The caller has seen that there are enough, under the lock. */
export async function sellFromShelf(trx: Transaction, units: readonly Units[]): Promise<void> {
  await sql`
    update product_sizes s set sold = s.sold + u.quantity
    from ${asTable(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

/** Lays sold units on the shelf again; what was ever sold stays counted. */
export async function putBack(trx: Transaction, units: readonly Units[]): Promise<void> {
  await lockSizes(trx, units);
  await sql`
    update product_sizes s set supplied = s.supplied + u.quantity
    from ${asTable(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
}

function asTable(units: readonly Units[]) {
  const rows = units.map(({ productId, size, quantity }) => ({ product_id: productId, size, quantity }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u(product_id text, size text, quantity integer)`;
}
