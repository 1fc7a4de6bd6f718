import { randomInt, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { HANDOVER, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { codeHashOf } from "#app/infra/secrets/link-code.server.ts";
import { type FulfilmentTimes, isToHandOver, stageOf } from "../fulfilment/progress.ts";
import { deliver, lockSale, NOW } from "../fulfilment/sale.server.ts";
import type { OrderState } from "../state.ts";

/** The different wrong codes that lock a link. */
const MOST_WRONG = 3;

/** SQL in a query of orders: the code that the order's shopper reads; null if none is asked for. */
export const HANDOVER_CODE_TEXT = "(select code from handovers where order_id = orders.id)";

/**
 * SQL in a query of orders: the state of the order's link as staff see it. Null if no code is asked for, or if the
 * order's account is gone, where the code could be read.
 */
export const HANDOVER_LINK = sql<"none" | "open" | "locked" | null>`(
  select case when cardinality(wrong_codes) >= ${sql.lit(MOST_WRONG)} then 'locked'
    when link_hash is null then 'none' else 'open' end
  from handovers where order_id = orders.id and orders.user_id is not null)`;

/** SQL: the numbers of the orders that wait to be handed over by a locked link, the oldest first. */
export const LOCKED_LINKS = sql<string[]>`array(
  select orders.number from handovers join orders on orders.id = order_id join sales on sales.order_id = orders.id
  where cardinality(wrong_codes) >= ${sql.lit(MOST_WRONG)} and orders.state = 'sold' and not trial
    and orders.user_id is not null and delivered_at is null and returned_at is null
  order by made_at)`;

/** The name of the act in the audit log, by which the order's history knows a handover. */
export const HANDED_OVER = "orders deliver by code";

/** The address that staff send to whoever hands the parcel over. */
export function handoverUrl(link: string): string {
  return new URL(`/handover/${link}`, env.publicUrl).href;
}

function newDigits(): string {
  return String(randomInt(10_000)).padStart(4, "0");
}

/** Gives an order that has just been sent, or is ready for pick-up, its code. It has no link yet. */
export async function startHandover(trx: Transaction, orderId: string): Promise<void> {
  await trx
    .insertInto("handovers")
    .values({ orderId, code: newDigits() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes code and link away from an order that was not sent after all. */
export async function endHandover(trx: Transaction, orderId: string): Promise<void> {
  await trx.deleteFrom("handovers").where("orderId", "=", orderId).execute();
}

/**
 * Replaces an order's link, so that the former one opens nothing. A locked one is open again, with another code for the
 * shopper ("another-code"). Undefined if the order is handed over without a code. The caller has locked the order.
 */
export async function replaceLink(
  trx: Transaction,
  orderId: string,
  link: string,
): Promise<"same-code" | "another-code" | undefined> {
  const row = await trx
    .selectFrom("handovers")
    .select("wrongCodes")
    .where("orderId", "=", orderId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const isLocked = row.wrongCodes.length >= MOST_WRONG;
  await trx
    .updateTable("handovers")
    .set({ linkHash: codeHashOf(link), ...(isLocked && { code: newDigits(), wrongCodes: [] }) })
    .where("orderId", "=", orderId)
    .execute();
  return isLocked ? "another-code" : "same-code";
}

/** What a link is good for. "ended": the order was cancelled, or came back. */
export type HandoverStand = "open" | "locked" | "delivered" | "ended";

type Facts = FulfilmentTimes & { state: OrderState; isPickUp: boolean; wrongCodes: string[] };

function standOf({ state, isPickUp, wrongCodes, ...times }: Facts): HandoverStand {
  const stage = stageOf(times);
  if (stage === "delivered") return "delivered";
  if (state !== "sold" || !isToHandOver({ stage, isPickUp })) return "ended";
  return wrongCodes.length >= MOST_WRONG ? "locked" : "open";
}

async function findByLink(on: Db | Transaction, linkHash: Buffer) {
  const row = await on
    .selectFrom("handovers")
    .innerJoin("orders", "orders.id", "handovers.orderId")
    .innerJoin("sales", "sales.orderId", "orders.id")
    .select(["handovers.wrongCodes", "sales.reference", "orders.state", "orders.shipping"])
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt"])
    .where("linkHash", "=", linkHash)
    .executeTakeFirst();
  return row && { reference: row.reference, stand: standOf({ ...row, isPickUp: row.shipping.pickupCenter !== "" }) };
}

/** What a link is good for now. Undefined for an unknown link, and for one that was replaced. */
export async function readHandover(on: Db, link: string): Promise<HandoverStand | undefined> {
  const linkHash = codeHashOf(link);
  return linkHash && (await findByLink(on, linkHash))?.stand;
}

/** `left`: how many more codes can be tried. */
export type Confirmed = Exclude<HandoverStand, "open"> | { left: number };

/**
 * Marks the order of a link as delivered if the code is its shopper's, as staff do. A wrong code is counted under the
 * order's lock, so that parallel tries have no more of them, and once however often it is sent. Safe to repeat.
 * Undefined if the link opens nothing.
 */
export async function confirmHandover(on: Db, link: string, code: string): Promise<Confirmed | undefined> {
  const linkHash = codeHashOf(link);
  if (!linkHash) return;
  return retryingTransaction(on, async (trx): Promise<Confirmed | undefined> => {
    const found = await findByLink(trx, linkHash);
    if (!found) return;
    if (found.stand !== "open") return found.stand;
    const sale = await lockSale(trx, found.reference); // staff take the same lock
    const row = await trx
      .selectFrom("handovers")
      .select(["code", "wrongCodes"])
      .where("linkHash", "=", linkHash)
      .forUpdate()
      .executeTakeFirst();
    if (!sale || !row) return;
    const { state } = sale.order;
    const stand = standOf({ ...sale, state, wrongCodes: row.wrongCodes });
    if (stand !== "open") return stand;
    if (!isSameCode(code, row.code)) {
      const wrongCodes = [...new Set([...row.wrongCodes, code])];
      await trx.updateTable("handovers").set({ wrongCodes }).where("linkHash", "=", linkHash).execute();
      const left = MOST_WRONG - wrongCodes.length;
      return left > 0 ? { left } : "locked";
    }
    await deliver(trx, sale, NOW);
    await recordChange(trx, {
      by: HANDOVER,
      action: HANDED_OVER,
      subject: { kind: "order", id: sale.reference },
      before: { state },
      after: { state, done: "handed over by code" },
    });
    return "delivered";
  });
}

/** Whether two codes of four digits are the same, in a time that does not depend on their digits. */
function isSameCode(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
