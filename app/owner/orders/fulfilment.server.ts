import { randomUUID } from "node:crypto";
import type { UpdateObject } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { emailedText, queueMail } from "#app/infra/mail.server.ts";
import { isToHandOver } from "#app/orders/fulfilment/progress.ts";
import { deliver, lockSale, NOW, type LockedSale as Sale } from "#app/orders/fulfilment/sale.server.ts";
import { startHandover } from "#app/orders/handover/handover.server.ts";
import { IS_MONEY_TAKEN } from "#app/orders/issues.server.ts";
import { placeMail, sentMail } from "#app/orders/mail-data.ts";
import { HAS_PIECES_LEFT } from "#app/orders/pieces-left.server.ts";
import { trackingUrlOf } from "#app/shipping/carriers/carriers.server.ts";
import { pickupCenter } from "#app/shipping/rates.server.ts";
import type { Database } from "#db/types.ts";
import { endOfDay, shopDay, shopDayOf } from "../shop-time.server.ts";
import { IS_GIVEN_BACK } from "./may-leave.server.ts";
import { whyNothingLeaves } from "./may-leave.ts";
import type { Done } from "./orders.server.ts";
import { TAKE_BACK_FOR } from "./take-back.ts";

// The steps of a sale's delivery, as the owner reports them. All are safe to repeat: a step that was already reported
// is refused.

/** A parcel's carrier and tracking number. */
export type Parcel = { carrier?: string; tracking?: string };

/** Marks a sale as packed. */
export function markPacked(on: Db | Transaction, reference: string): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    if (sale.stage !== "paid") return refuse(`It is ${sale.stage} already`);
    const nothing = await nothingLeaves(trx, sale, { waitsForBank: true });
    if (nothing) return refuse(nothing);
    await update(trx, sale, { packedAt: NOW });
    return { ok: true, what: "packed" };
  });
}

/** Marks a sale as sent off, or corrects its carrier or tracking number, and tells the shopper by mail. */
export function markSent(on: Db | Transaction, reference: string, { carrier, tracking }: Parcel = {}): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    const nothing = await nothingLeaves(trx, sale);
    if (nothing) return refuse(nothing);
    const parcel = { carrier: carrier ?? sale.carrier, tracking: tracking ?? sale.tracking };
    const isCorrection = sale.fulfilledAt !== null;
    if (isCorrection && parcel.carrier === sale.carrier && parcel.tracking === sale.tracking)
      return refuse("It’s already been sent");
    if (["ready", "delivered", "returned"].includes(sale.stage)) return refuse(`It is ${sale.stage} already`);
    const sentAt = sale.fulfilledAt ?? new Date();
    await update(trx, sale, { fulfilledAt: sentAt, ...parcel });
    const asksForCode = sale.asksForCode && !isCorrection && !sale.isPickUp;
    if (asksForCode) await startHandover(trx, sale.order.id);
    const center = await pickupCenter(trx, sale.order.shipping.pickupCenter);
    const trackingUrl = await trackingUrlOf(trx, parcel);
    const days = { orderedAt: sale.createdAt, sentAt };
    const data = sentMail(sale.order, reference, { ...parcel, trackingUrl, ...days, isCorrection }, env, center);
    const key = isCorrection ? `sent:${sale.id}:${randomUUID()}` : `sent:${sale.id}`;
    await queueMail(trx, { key, recipient: sale.order.email, kind: "order-sent", data, wait: MAIL_WAITS });
    const what = `${isCorrection ? "corrected" : "sent off"}${emailedText(sale.order.email)}`;
    return { ok: true, what, recorded: { keys: [key], ...(asksForCode && { asksForCode }) } };
  });
}

/** Marks a sale as ready at its pick-up centre, and tells the shopper by mail. */
export function markReady(on: Db | Transaction, reference: string): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    if (!sale.isPickUp) return refuse("It is delivered to an address: say 'orders fulfil' when it leaves");
    if (["ready", "delivered", "returned"].includes(sale.stage)) return refuse(`It is ${sale.stage} already`);
    const nothing = await nothingLeaves(trx, sale);
    if (nothing) return refuse(nothing);
    await update(trx, sale, { readyAt: NOW });
    const { asksForCode } = sale;
    if (asksForCode) await startHandover(trx, sale.order.id);
    const center = await pickupCenter(trx, sale.order.shipping.pickupCenter);
    const data = placeMail(sale.order, reference, env, center);
    const key = `ready:${sale.id}`;
    await queueMail(trx, { key, recipient: sale.order.email, kind: "order-ready", data, wait: MAIL_WAITS });
    const recorded = { keys: [key], ...(asksForCode && { asksForCode }) };
    return { ok: true, what: `ready for pick-up${emailedText(sale.order.email)}`, recorded };
  });
}

/** Marks a sale as delivered or picked up, on `day` (such as 2026-01-31) or now. */
export function markDelivered(on: Db | Transaction, reference: string, day?: string): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    if (["delivered", "returned"].includes(sale.stage)) return refuse(`It is ${sale.stage} already`);
    if (!isToHandOver(sale))
      return refuse(
        `Nobody has said that it ${sale.isPickUp ? "is ready: 'orders ready'" : "was sent: 'orders fulfil'"}`,
      );
    const arrived = arrivalOn(day, sale);
    if ("problem" in arrived) return { ok: false, problem: arrived.problem, field: "day" };
    await deliver(trx, sale, arrived.at);
    const what = sale.isPickUp ? "picked up" : "delivered";
    return { ok: true, what: arrived.at === NOW ? what : `${what} on ${day}` };
  });
}

/**
 * The time of an arrival on this day: now if it is today, otherwise the end of the day, so that no deadline counted
 * from it ends too early.
 */
function arrivalOn(
  day: string | undefined,
  { fulfilledAt, readyAt }: Sale,
): { at: Date | typeof NOW } | { problem: string } {
  if (day === undefined) return { at: NOW };
  const end = endOfDay(day);
  const left = readyAt ?? fulfilledAt;
  if (!end) return { problem: "Write a date like 2026-01-31" };
  if (day > shopDay()) return { problem: "That day hasn’t come yet" };
  if (left && day < shopDayOf(left))
    return { problem: `It was ${readyAt ? "ready" : "sent"} on ${shopDayOf(left)}: it can’t have arrived before` };
  return { at: day === shopDay() ? NOW : new Date(end.getTime() - 1) };
}

/** Marks a sale as returned. Refund and stock are separate: see `refunds/refunds.server.ts`. */
export function markReturned(on: Db | Transaction, reference: string): Promise<Done> {
  return changeSale(on, reference, async (trx, sale) => {
    if (sale.stage === "returned") return refuse("It is returned already");
    if (!["sent", "ready", "delivered"].includes(sale.stage)) return refuse("It hasn’t left yet");
    await update(trx, sale, { returnedAt: NOW });
    return { ok: true, what: "returned; a refund gives money back and puts pieces into stock" };
  });
}

/** A step can be taken back for 20 s. The additional time is for a request that arrives at the last moment. */
const MAIL_WAITS = TAKE_BACK_FOR + 5 * SECOND;

/** Locks a sale's cart, payment and order, then calls `change`. */
async function changeSale(
  on: Db | Transaction,
  reference: string,
  change: (trx: Transaction, sale: Sale) => Promise<Done>,
): Promise<Done> {
  return retryingTransaction(on, async (trx) => {
    const sale = await lockSale(trx, reference);
    return sale ? change(trx, sale) : refuse(`There’s no sale with the reference '${reference}'`);
  });
}

/**
 * Why a sale must not be sent. Undefined if it may be. A sale that has already left may have been refunded since.
 * `waitsForBank`: also refuses while the bank may take the money back.
 */
async function nothingLeaves(
  trx: Transaction,
  { id, order, fulfilledAt }: Sale,
  { waitsForBank = false } = {},
): Promise<string | undefined> {
  const { isGivenBack, hasPieces, isMoneyTaken } = await trx
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .innerJoin("payments as paid", "paid.reference", "sales.reference")
    .select([IS_GIVEN_BACK.as("isGivenBack"), HAS_PIECES_LEFT.as("hasPieces"), IS_MONEY_TAKEN.as("isMoneyTaken")])
    .where("sales.id", "=", id)
    .executeTakeFirstOrThrow();
  return whyNothingLeaves({
    state: order.state,
    trial: order.trial,
    isGivenBack,
    hasPieces: hasPieces || fulfilledAt !== null,
    isMoneyTaken: isMoneyTaken && waitsForBank,
  });
}

async function update(trx: Transaction, { id }: Sale, set: UpdateObject<Database, "sales">): Promise<void> {
  await trx.updateTable("sales").set(set).where("id", "=", id).execute();
}

function refuse(problem: string): Done {
  return { ok: false, problem };
}
