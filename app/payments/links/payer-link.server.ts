import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { codeHashOf, newCode } from "#app/infra/secrets/link-code.server.ts";
import { lockCart, lockLiveOrder, releaseOrder } from "#app/orders/lifecycle.server.ts";
import { IS_LIVE } from "#app/orders/state.ts";
import { LAPSED_LINKS_WITHIN } from "#app/orders/time-limits.ts";
import { LINKED_ORDER, linkOf } from "./link.server.ts";

/** How many of a shopper's links may end unpaid, within `LAPSED_LINKS_WITHIN`, before no further one is made. */
const MOST_LAPSED_LINKS = 3;

/** Whether so many of the shopper's links have ended unpaid that no further one is made for now. */
export async function hasLapsedLinks(trx: Transaction, userId: string): Promise<boolean> {
  const { lapsed } = await trx
    .selectFrom("payerLinks")
    .innerJoin("orders", "orders.id", "payerLinks.orderId")
    .select(({ fn }) => fn.countAll<string>().as("lapsed"))
    .where("userId", "=", userId)
    .where("state", "=", "released")
    .where(sql<boolean>`released_at > now() - ${millisecondsSql(LAPSED_LINKS_WITHIN)}`)
    .executeTakeFirstOrThrow();
  return Number(lapsed) >= MOST_LAPSED_LINKS;
}

/** Replaces the code and the line of an order's link, so that the former link opens nothing. */
export async function replacePayerCode(
  trx: Transaction,
  orderId: string,
  { code, line }: { code: string; line?: string },
): Promise<void> {
  await trx
    .updateTable("payerLinks")
    .set({ codeHash: secretHash(code), ...(line !== undefined && { line }) })
    .where("orderId", "=", orderId)
    .execute();
}

/** A shopper's live order with a link for somebody else, as the shopper sees it. */
export type OwnLink = { reference: string; number: string; line: string; expiresAt: Date };

/** The shopper's live order that somebody else may pay by a link. Undefined if there is none. */
export async function ownLink(on: Db, userId: string): Promise<OwnLink | undefined> {
  return on
    .selectFrom("payerLinks")
    .innerJoin("orders", "orders.id", "payerLinks.orderId")
    .innerJoin("payments", "payments.orderId", "orders.id")
    .select(["payments.reference", "orders.number", "payerLinks.line", "orders.expiresAt"])
    .where("orders.userId", "=", userId)
    .where(sql.raw<boolean>(`orders.${IS_LIVE}`))
    .where("orders.expiresAt", ">", sql<Date>`now()`)
    .where("payments.payerEmail", "is", null)
    .orderBy("payments.createdAt", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Makes a new link for the shopper's live order. Returns its URL. The former link opens nothing. Undefined without
 * one.
 */
export function renewPayerLink(on: Db, userId: string): Promise<string | undefined> {
  return retryingTransaction(on, async (trx) => {
    await lockCart(trx, userId);
    const live = await lockLiveOrder(trx, userId);
    if (!live?.byPayerLink || live.expired) return;
    const code = newCode();
    await replacePayerCode(trx, live.id, { code });
    return linkOf(code);
  });
}

/** Ends the link of the shopper's live order, and with it the hold. A payment that arrives afterwards is a late one. */
export function endPayerLink(on: Db, userId: string): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    await lockCart(trx, userId);
    const live = await lockLiveOrder(trx, userId);
    if (live?.byPayerLink) await releaseOrder(trx, live.id);
  });
}

/**
 * The order of a shopper's link, as whoever pays may see it: no family name, place, phone or address. Undefined for an
 * unknown code, and for one that was replaced.
 */
export async function readPayerLink(on: Db, code: string) {
  const codeHash = codeHashOf(code);
  if (!codeHash) return;
  return on
    .selectFrom("payerLinks")
    .innerJoin("orders", "orders.id", "payerLinks.orderId")
    .innerJoin("users", "users.id", "orders.userId")
    .select(LINKED_ORDER)
    .select(["users.firstName", "payerLinks.line"])
    .where("codeHash", "=", codeHash)
    .where("orders.trial", "=", false)
    .executeTakeFirst();
}
export type PayerOrder = NonNullable<Awaited<ReturnType<typeof readPayerLink>>>;

/** A payment by somebody else, with the order's number and the shopper's first name. Undefined for any other one. */
export async function payerPayment(on: Db, reference: string) {
  return on
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .leftJoin("users", "users.id", "orders.userId")
    .select(["payments.reference", "orders.number", "users.firstName"])
    .where("reference", "=", reference)
    .where("payerEmail", "is not", null)
    .executeTakeFirst();
}
