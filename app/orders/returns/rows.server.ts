import { type Selectable, sql, type UpdateObject } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import type { Database } from "#db/types.ts";
import { lockOrder, type Order } from "../lifecycle.server.ts";
import { endHold, lockSizes } from "../reservation.server.ts";
import { IS_REAL_SALE } from "../state.ts";
import type { Units } from "../units.ts";
import { type ReturnStep, returnMail } from "./mail-data.ts";
import { numbersOf } from "./numbers.server.ts";
import type { OrderReturn, ReturnPiece } from "./return.ts";
import { acceptsReturnEvent, holdsStock, LIVE_RETURNS, type ReturnEvent, returnStateAfter } from "./state.ts";

type Row = Selectable<Database["returns"]>;
/** A return with its pieces and order, all locked, the order first as everywhere. */
export type LockedReturn = Row & { pieces: ReturnPiece[]; order: Order };

/** A return's pieces, with `newProductId` and `newColor` only for another colour. For queries on table `returns`. */
export const PIECES = sql<ReturnPiece[]>`coalesce((
  select jsonb_agg(
    jsonb_build_object('productId', product_id, 'size', size, 'quantity', quantity, 'newSize', new_size)
      || jsonb_strip_nulls(jsonb_build_object('newProductId', new_product_id, 'newColor', new_color))
    order by product_id, size
  ) from return_pieces where return_id = returns.id), '[]')`;

/** A sale's returns as its shopper sees them, newest first. For queries on the table `sales`. */
export const RETURNS_OF_SALE = sql<OrderReturn[]>`coalesce((
  select jsonb_agg(jsonb_build_object('number', number, 'state', returns.state, 'reason', reason, 'wish', wish, 'words', words, 'answer', answer,
    'sendBack', send_back, 'carrier', returns.carrier, 'tracking', returns.tracking, 'askedAt', asked_at, 'decidedAt', decided_at, 'receivedAt', received_at,
    'endedAt', ended_at, 'pieces', ${PIECES}, 'refunded', (select refunds.pieces from refunds where refunds.id = returns.refund_id),
    'pictures', (select coalesce(jsonb_agg(id order by place), '[]') from return_pictures where return_id = returns.id)
  ) order by counted desc) from returns where returns.reference = sales.reference), '[]')`;

/** All returns of a shopper, each with its order's reference. */
export async function listReturnsOf(on: Db, userId: string): Promise<(OrderReturn & { reference: string })[]> {
  const sales = await on
    .selectFrom("sales")
    .select(["reference", RETURNS_OF_SALE.as("returns")])
    .where("userId", "=", userId)
    .where(sql<boolean>`${sql.raw(IS_REAL_SALE)}`)
    .orderBy("createdAt")
    .execute();
  return sales.flatMap(({ reference, returns }) => returns.map((one) => ({ reference, ...one })));
}

/** Locks a return and its order. Undefined if no return has this number. */
export async function lockReturn(trx: Transaction, number: string): Promise<LockedReturn | undefined> {
  const known = await trx.selectFrom("returns").select("reference").where("number", "=", number).executeTakeFirst();
  if (!known) return;
  const { order } = await lockOrder(trx, known.reference);
  const row = await trx.selectFrom("returns").selectAll().where("number", "=", number).forUpdate().executeTakeFirst();
  if (!row) return;
  const { pieces } = await trx
    .selectFrom("returns")
    .select(PIECES.as("pieces"))
    .where("id", "=", row.id)
    .executeTakeFirstOrThrow();
  return { ...row, pieces, order };
}

/** The pieces to send in exchange for those of a return. */
export function newPieces({ pieces }: { pieces: readonly ReturnPiece[] }): Units[] {
  return pieces.flatMap(({ productId, newProductId = productId, quantity, newSize }) =>
    newSize ? [{ productId: newProductId, size: newSize, quantity }] : [],
  );
}

/**
 * Moves a return to the state after `event` (see state.ts). What an exchange held is released or, with `sent`, sold.
 * Returns false if the return's state does not accept the event.
 */
export async function moveReturn(
  trx: Transaction,
  given: LockedReturn,
  event: ReturnEvent,
  { sent = false, ...set }: UpdateObject<Database, "returns"> & { sent?: boolean } = {},
): Promise<boolean> {
  if (!acceptsReturnEvent(given.state, event)) return false;
  const state = returnStateAfter(event);
  // Without this setting, a trigger refuses to begin or end the hold of another colour: the version before would hold
  // the wrong product.
  if (given.pieces.some(({ newProductId }) => newProductId))
    await sql`select set_config('irepo.exchange_colors', 'on', true)`.execute(trx);
  await trx
    .updateTable("returns")
    .set({ ...set, state })
    .where("id", "=", given.id)
    .execute();
  if (holdsStock(given) && !holdsStock({ wish: given.wish, state })) {
    // Locks the pieces that may be restocked as well, in one statement, to keep the fixed lock order.
    await lockSizes(trx, [...given.pieces, ...newPieces(given)]);
    await endHold(trx, newPieces(given), sent ? "sold" : "released");
  }
  return true;
}

/** Queues a mail to the shopper about a step of the return. */
export async function tellOfReturn(
  trx: Transaction,
  given: Pick<LockedReturn, "id" | "number" | "reference" | "wish" | "sendBack" | "pieces" | "order">,
  step: ReturnStep,
  said: { answer?: string; carrier?: string; tracking?: string } = {},
): Promise<void> {
  const numbers = await numbersOf(trx, given.reference);
  const data = { ...returnMail(given, step, said, env.publicUrl), numbers };
  await queueMail(trx, { key: `return:${given.id}:${step}`, recipient: given.order.email, kind: "return", data });
}

/**
 * The pieces in a payment's returns, without those of the return `except`. `live`: in live returns. `exchanged`:
 * exchanged. `all`: in live returns and in ended ones that have no refund.
 */
export async function piecesInReturns(
  on: Db | Transaction,
  reference: string,
  except?: string,
): Promise<{ live: Units[]; exchanged: Units[]; all: Units[] }> {
  const rows = await on
    .selectFrom("returnPieces")
    .innerJoin("returns", "returns.id", "returnId")
    .select(["productId", "size", "quantity", "state", "wish", "refundId"])
    .where("reference", "=", reference)
    .$if(except !== undefined, (query) => query.where("returns.id", "!=", except ?? ""))
    .execute();
  return {
    live: rows.filter(({ state }) => LIVE_RETURNS.includes(state)),
    exchanged: rows.filter(({ state, wish }) => state === "done" && wish === "exchange"),
    all: rows.filter(({ state, refundId }) => LIVE_RETURNS.includes(state) || (state === "done" && refundId === null)),
  };
}

/**
 * The pieces of a payment that are refunded, in stock again, or in a return. Failed refunds count, as they may be tried
 * again, and void ones where their pieces have gone back into stock.
 */
export async function piecesBack(on: Db | Transaction, reference: string): Promise<Units[]> {
  const refunds = await on
    .selectFrom("refunds")
    .select("pieces")
    .where("reference", "=", reference)
    .where((one) => one.or([one("state", "!=", "void"), one("restock", "=", true)]))
    .execute();
  const { all } = await piecesInReturns(on, reference);
  return [...refunds.flatMap(({ pieces }) => pieces), ...all];
}
