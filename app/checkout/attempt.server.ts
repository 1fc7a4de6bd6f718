import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { Transaction } from "#app/infra/db.server.ts";
import type { Database } from "#db/types.ts";
import { LIVE_STATES, type OrderEvent, stateAfter, statesThatAccept } from "./order-state.ts";
import type { Units } from "./outcomes.ts";
import { endReservation, lockSizes, type Shelf } from "./reservation.server.ts";

export type Attempt = Selectable<Database["attempts"]>;
export type Payment = Selectable<Database["payments"]>;

/**
 * Rows are locked in one order everywhere: the shopper's cart, payment, attempt, sizes. The cart comes first, so that
 * whatever happens to one shopper's orders happens one after the other.
 */
export async function lockCart(trx: Transaction, userId: string): Promise<{ version: string } | undefined> {
  return trx.selectFrom("carts").select("version").where("userId", "=", userId).forUpdate().executeTakeFirst();
}

/** A payment and its attempt, both locked, behind the cart of their shopper. */
export async function lockOrder(trx: Transaction, reference: string): Promise<{ payment: Payment; attempt: Attempt }> {
  const owner = await trx
    .selectFrom("payments")
    .innerJoin("attempts", "attempts.id", "payments.attemptId")
    .select("attempts.userId")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  if (owner.userId) await lockCart(trx, owner.userId);
  const payment = await trx
    .selectFrom("payments")
    .selectAll()
    .where("reference", "=", reference)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const attempt = await trx
    .selectFrom("attempts")
    .selectAll()
    .where("id", "=", payment.attemptId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { payment, attempt };
}

/** The shopper's order that holds stock now, locked. Lock the cart first. */
export async function lockLiveAttempt(
  trx: Transaction,
  userId: string,
): Promise<(Attempt & { expired: boolean }) | undefined> {
  return trx
    .selectFrom("attempts")
    .selectAll()
    .select(sql<boolean>`expires_at <= now()`.as("expired"))
    .where("userId", "=", userId)
    .where("state", "in", LIVE_STATES)
    .forUpdate()
    .executeTakeFirst();
}

/** Moves an attempt along the map of order-state.ts; false when its state does not accept the event. */
export async function moveAttempt(trx: Transaction, id: string, event: OrderEvent): Promise<boolean> {
  const moved = await trx
    .updateTable("attempts")
    .set({ state: stateAfter(event), updatedAt: sql`now()` })
    .where("id", "=", id)
    .where("state", "in", statesThatAccept(event))
    .executeTakeFirst();
  return moved.numUpdatedRows === 1n;
}

/** Puts the stock of a live attempt back on the shelf. Its money, should it still come, is dealt with by settlement. */
export async function releaseAttempt(trx: Transaction, id: string): Promise<void> {
  if (await moveAttempt(trx, id, "release")) await endReservation(trx, id, "returned");
}

/** Locks the sizes that a shopper's next order needs, and lets their live attempt make room for it. */
export async function clearShelf(trx: Transaction, units: readonly Units[], live: Attempt): Promise<Shelf> {
  await lockSizes(trx, [...units, ...live.lines]); // all at once: in the fixed order
  await releaseAttempt(trx, live.id);
  return lockSizes(trx, units);
}

/** Releases an attempt that is live and has been past its time for that many minutes. */
export async function releaseExpired(trx: Transaction, id: string, graceMinutes = 0): Promise<void> {
  const expired = await trx
    .selectFrom("attempts")
    .select("id")
    .where("id", "=", id)
    .where(sql<boolean>`expires_at + ${graceMinutes} * interval '1 minute' <= now()`)
    .executeTakeFirst();
  if (expired) await releaseAttempt(trx, id);
}
