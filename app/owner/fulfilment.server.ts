import { randomUUID } from "node:crypto";
import { sql, type UpdateObject } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { type FulfilmentTimes, type Stage, stageOf } from "#app/orders/fulfilment/progress.ts";
import { lockOrder, type Order } from "#app/orders/lifecycle.server.ts";
import { readyMail, sentMail } from "#app/orders/mail-data.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";
import { balanceOf } from "#app/orders/refund-rows.server.ts";
import { pickupCenter } from "#app/shipping/rates.server.ts";
import type { Database } from "#db/types.ts";
import { whyNothingLeaves } from "./orders/may-leave.ts";
import type { Done } from "./orders.server.ts";
import { endOfDay, shopDay, shopDayOf } from "./shop-time.server.ts";

// What the owner says of a sale's way to its shopper. Each is safe to repeat: what has been said already is refused.

/** Who carries a parcel, and under which number. */
export type Parcel = { carrier?: string; tracking?: string };

/** Says that a sale is packed. */
export function markPacked(on: Db | Transaction, reference: string): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    if (sale.stage !== "paid") return refuse(`It is ${sale.stage} already`);
    const nothing = await nothingLeaves(trx, sale);
    if (nothing) return refuse(nothing);
    await update(trx, sale, { packedAt: NOW });
    return { ok: true, what: "packed" };
  });
}

/** Says that a sale has been sent off, or what was wrong about its carrier or number, and tells the shopper. */
export function markSent(on: Db | Transaction, reference: string, { carrier, tracking }: Parcel = {}): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    const nothing = await nothingLeaves(trx, sale);
    if (nothing) return refuse(nothing);
    const parcel = { carrier: carrier ?? sale.carrier, tracking: tracking ?? sale.tracking };
    const isCorrection = sale.fulfilledAt !== null;
    if (isCorrection && parcel.carrier === sale.carrier && parcel.tracking === sale.tracking)
      return refuse("It has been sent off already");
    if (["ready", "delivered", "returned"].includes(sale.stage)) return refuse(`It is ${sale.stage} already`);
    const sentAt = sale.fulfilledAt ?? new Date();
    await update(trx, sale, { fulfilledAt: sentAt, ...parcel });
    const center = await pickupCenter(trx, sale.order.shipping.pickupCenter);
    const days = { orderedAt: sale.createdAt, sentAt };
    const data = sentMail(sale.order, reference, { ...parcel, ...days, isCorrection }, env, center);
    const key = isCorrection ? `sent:${sale.id}:${randomUUID()}` : `sent:${sale.id}`;
    await queueMail(trx, { key, recipient: sale.order.email, kind: "order-sent", data });
    return { ok: true, what: isCorrection ? "corrected; the shopper is told" : "sent off; the shopper is told" };
  });
}

/** Says that a sale waits for its shopper at its pick-up centre, and tells them. */
export function markReady(on: Db | Transaction, reference: string): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    if (!sale.isPickUp) return refuse("It is delivered to an address: say 'orders fulfil' when it leaves");
    if (["ready", "delivered", "returned"].includes(sale.stage)) return refuse(`It is ${sale.stage} already`);
    const nothing = await nothingLeaves(trx, sale);
    if (nothing) return refuse(nothing);
    await update(trx, sale, { readyAt: NOW });
    const center = await pickupCenter(trx, sale.order.shipping.pickupCenter);
    const data = readyMail(sale.order, reference, env, center);
    await queueMail(trx, { key: `ready:${sale.id}`, recipient: sale.order.email, kind: "order-ready", data });
    return { ok: true, what: "ready for pick-up; the shopper is told" };
  });
}

/** Says that a sale is with its shopper: delivered, or picked up; on a `day` as 2026-01-31, else at this moment. */
export function markDelivered(on: Db | Transaction, reference: string, day?: string): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    if (["delivered", "returned"].includes(sale.stage)) return refuse(`It is ${sale.stage} already`);
    if (sale.isPickUp ? sale.stage !== "ready" : sale.stage !== "sent")
      return refuse(
        `Nobody has said that it ${sale.isPickUp ? "is ready: 'orders ready'" : "was sent: 'orders fulfil'"}`,
      );
    const arrived = arrivalOn(day, sale);
    if ("problem" in arrived) return { ok: false, problem: arrived.problem, field: "day" };
    await update(trx, sale, { deliveredAt: arrived.at, fulfilledAt: sale.fulfilledAt ?? arrived.at });
    const what = sale.isPickUp ? "picked up" : "delivered";
    return { ok: true, what: arrived.at === NOW ? what : `${what} on ${day}` };
  });
}

/** When something arrived that did so on this day: its last moment where it is over, so that no time that is counted from it ends too early. */
function arrivalOn(
  day: string | undefined,
  { fulfilledAt, readyAt }: Sale,
): { at: Date | typeof NOW } | { problem: string } {
  if (day === undefined) return { at: NOW };
  const end = endOfDay(day);
  const left = readyAt ?? fulfilledAt;
  if (!end) return { problem: "A day is written as 2026-01-31" };
  if (day > shopDay()) return { problem: "That day has not come yet" };
  if (left && day < shopDayOf(left))
    return { problem: `It was ${readyAt ? "ready" : "sent"} on ${shopDayOf(left)}: it cannot have arrived before` };
  return { at: day === shopDay() ? NOW : new Date(end.getTime() - 1) };
}

/** Says that a sale has come back. Its money and its pieces are matters of their own: `refunds.server.ts`. */
export function markReturned(on: Db | Transaction, reference: string): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    if (sale.stage === "returned") return refuse("It is returned already");
    if (!["sent", "ready", "delivered"].includes(sale.stage)) return refuse("It has not left yet");
    await update(trx, sale, { returnedAt: NOW });
    return { ok: true, what: "returned; a refund gives money back and puts pieces into stock" };
  });
}

const NOW = sql<Date>`now()`;

type Sale = FulfilmentTimes & {
  id: string;
  reference: string;
  order: Order;
  stage: Stage;
  isPickUp: boolean;
  carrier: string | null;
  tracking: string | null;
  createdAt: Date;
};

/** Changes a sale that is locked as everywhere. */
async function changeSale(
  on: Db | Transaction,
  reference: string,
  change: (trx: Transaction, sale: Sale) => Promise<Done>,
): Promise<Done> {
  return retryingTransaction(on, async (trx) => {
    const known = await trx.selectFrom("sales").select("id").where("reference", "=", reference).executeTakeFirst();
    if (!known) return refuse(`There is no sale with the reference '${reference}'`);
    const { order } = await lockOrder(trx, reference);
    const row = await trx
      .selectFrom("sales")
      .select(["id", "reference", "carrier", "tracking", "createdAt"])
      .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt"])
      .where("id", "=", known.id)
      .executeTakeFirstOrThrow();
    return change(trx, { ...row, order, stage: stageOf(row), isPickUp: order.shipping.pickupCenter !== "" });
  });
}

/** Why nothing of a sale leaves; what has left already may have been given back since. */
async function nothingLeaves(
  trx: Transaction,
  { id, order, reference, fulfilledAt }: Sale,
): Promise<string | undefined> {
  const { kobo, refunding, refunded } = await balanceOf(trx, reference);
  const isGivenBack = refunding + refunded >= kobo;
  const hasPieces = fulfilledAt !== null || (await isPieceLeft(trx, id));
  return whyNothingLeaves({ state: order.state, isGivenBack, hasPieces });
}

async function isPieceLeft(trx: Transaction, saleId: string): Promise<boolean> {
  const { hasPieces } = await trx
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "orderId")
    .select(HAS_PIECES_LEFT.as("hasPieces"))
    .where("sales.id", "=", saleId)
    .executeTakeFirstOrThrow();
  return hasPieces;
}

async function update(trx: Transaction, { id }: Sale, set: UpdateObject<Database, "sales">): Promise<void> {
  await trx.updateTable("sales").set(set).where("id", "=", id).execute();
}

function refuse(problem: string): Done {
  return { ok: false, problem };
}
