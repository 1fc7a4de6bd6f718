import { sql } from "kysely";
import type { Transaction } from "#app/infra/db.server.ts";

export type Units = { productId: string; size: string; quantity: number };
export type Shortage = Units & { available: number };

/** One entry a size, whatever colours and lines it is spread over, in the order in which sizes are locked. */
export function unitsOf(lines: readonly Units[]): Units[] {
  const sums = new Map<string, Units>();
  for (const { productId, size, quantity } of lines) {
    const sum = sums.get(keyOf({ productId, size }));
    sums.set(keyOf({ productId, size }), { productId, size, quantity: quantity + (sum?.quantity ?? 0) });
  }
  return [...sums.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ productId, size }: { productId: string; size: string }): string {
  return `${productId} ${size}`;
}

/** Locks the sizes until the transaction's end, in one fixed order, so that two orders never wait for each other. */
export async function lockSizes(trx: Transaction, units: readonly Units[]): Promise<void> {
  await sql`
    select from product_sizes s join ${asTable(unitsOf(units))} using (product_id, size)
    order by s.product_id, s.size for update of s`.execute(trx);
}

/** What is missing on the shelf, beside what others have reserved. Lock the sizes first. */
export async function shortages(trx: Transaction, units: readonly Units[]): Promise<Shortage[]> {
  const { rows } = await sql<Shortage>`
    select u.*, coalesce(s.on_hand - s.reserved, 0) as available
    from ${asTable(units)} left join product_sizes s using (product_id, size)
    where coalesce(s.on_hand - s.reserved, 0) < u.quantity`.execute(trx);
  return rows;
}

/** Puts units aside for an attempt. The caller has seen that there are enough, under the lock. */
export async function reserve(trx: Transaction, attemptId: string, units: readonly Units[]): Promise<void> {
  await trx
    .insertInto("reservations")
    .values(units.map((unit) => ({ attemptId, ...unit })))
    .execute();
  await sql`
    update product_sizes s set reserved = s.reserved + u.quantity
    from ${asTable(units)} where s.product_id = u.product_id and s.size = u.size`.execute(trx);
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

function asTable(units: readonly Units[]) {
  const rows = units.map(({ productId, size, quantity }) => ({ product_id: productId, size, quantity }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as u(product_id text, size text, quantity integer)`;
}
