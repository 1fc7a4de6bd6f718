import { sql } from "kysely";
import { listHandRefunds, markGiven } from "#app/by-hand/book.server.ts";
import { MEANS_NAMES, type Means } from "#app/by-hand/means.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { emailedText } from "#app/infra/mail.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { lockOrder } from "#app/orders/lifecycle.server.ts";
import { overdueBefore } from "#app/orders/returns/rules.ts";
import { IS_BY_HAND } from "../provider.server.ts";
import { reviewRefunds } from "../refunds/refunds.server.ts";

/** What is to be given back by hand for an order. `means`: how it was taken. `since`: of the oldest refund. */
export type ToGive = { kobo: number; means: string; since: Date };

/** A condition in SQL: whether a payment is of the same order as the one with this reference. */
const isOfOrderSql = (reference: string) =>
  sql<boolean>`payments.order_id = (select asked.order_id from payments asked where asked.reference = ${reference})`;

/** What is to be given back by hand for the order of this payment. Undefined if nothing is. */
export async function toGiveBack(on: Db | Transaction, reference: string): Promise<ToGive | undefined> {
  const row = await on
    .selectFrom("refunds")
    .innerJoin("payments", "payments.reference", "refunds.reference")
    .select(sql<string>`sum(refunds.kobo)`.as("kobo"))
    .select(sql<Means[]>`array_agg(distinct payments.provider)`.as("means"))
    .select(sql<Date>`min(refunds.created_at)`.as("since"))
    .where(isOfOrderSql(reference))
    .where("refunds.state", "in", ["open", "sent"])
    .where(IS_BY_HAND)
    .having(sql<boolean>`count(*) > 0`)
    .executeTakeFirst();
  return row && { ...row, kobo: Number(row.kobo), means: row.means.map((one) => MEANS_NAMES[one]).join(", ") };
}

/**
 * The orders with money to give back by hand. `overdue`: those past the deadline that refunds of returns have. `first`:
 * the numbers of those that have waited longest.
 */
export type WaitingToGive = { orders: number; overdue: number; oldest: Date | null; first: string[] };
const NAMED = 3;

export async function waitingToGive(on: Db): Promise<WaitingToGive> {
  const rows = await on
    .selectFrom("refunds")
    .innerJoin("payments", "payments.reference", "refunds.reference")
    .innerJoin("orders", "orders.id", "payments.orderId")
    .select(["orders.number", "orders.numbers", sql<Date>`min(refunds.created_at)`.as("since")])
    .where("refunds.state", "in", ["open", "sent"])
    .where(IS_BY_HAND)
    .where("orders.trial", "=", false)
    .groupBy(["orders.number", "orders.numbers"])
    .orderBy("since")
    .execute();
  const now = new Date();
  const isOverdue = ({ since, numbers }: (typeof rows)[number]) =>
    since < overdueBefore(now, env.SHOP_TIMEZONE, { ...SHIPPED_NUMBERS, ...numbers });
  return {
    orders: rows.length,
    overdue: rows.filter(isOverdue).length,
    oldest: rows[0]?.since ?? null,
    first: rows.slice(0, NAMED).map(({ number }) => number),
  };
}

/**
 * `agreedKobo`: the sum that the member has seen, and has given back. `by` names the member. `bankReference`: of the
 * transfer with which it went back.
 */
export type GivenBack = { agreedKobo: number; by: string; bankReference?: string };

type Said =
  | { ok: true; what: string; isRepeat?: true; recorded?: object }
  | { ok: false; problem: string; field?: "bankReference" };
type Work = (trx: Transaction) => Promise<Said>;

/**
 * Marks everything that is to be given back by hand for an order as given. Then completes its refunds and emails the
 * customer; after a crash in between, a repeated call does that. `reference` is any of the order's payments.
 * `inTransaction` runs the work in a transaction, or refuses it.
 */
export async function giveByHand<Refusal = never>(
  on: Db,
  reference: string,
  given: GivenBack,
  inTransaction: (work: Work) => Promise<Refusal | Said> = (work) => retryingTransaction(on, work),
): Promise<Refusal | Said> {
  const done = await inTransaction((trx) => record(trx, reference, given));
  for (const payment of await paymentsByHand(on, reference)) await reviewRefunds(on, payment);
  return done;
}

async function record(trx: Transaction, reference: string, given: GivenBack): Promise<Said> {
  const { order } = await lockOrder(trx, reference);
  const due = await toGiveBack(trx, reference);
  if (!due) return { ok: false, problem: "Nothing is to be given back by hand" };
  const payments = await paymentsByHand(trx, reference);
  const backs = (await Promise.all(payments.map((payment) => listHandRefunds(trx, payment)))).flat();
  const open = backs.filter(({ isGiven }) => !isGiven);
  const inBook = open.reduce((sum, back) => sum + back.kobo, 0);
  if (inBook !== due.kobo) return { ok: false, problem: "The refund is being written down. Try again in a moment" };
  if (due.kobo !== given.agreedKobo) return { ok: false, problem: CHANGED };
  const { by, bankReference = null } = given;
  const ids = open.map(({ id }) => id);
  await markGiven(trx, ids, { by, bankReference });
  return {
    ok: true,
    what: `${formatKobo(kobo(due.kobo))} given back by hand${emailedText(order.email, { who: "customer" })}`,
    recorded: { kobo: due.kobo },
  };
}

const CHANGED = "Another sum is to be given back by now. Check it again";

/** The references of the payments that were taken by hand for the order of this payment. */
async function paymentsByHand(on: Db | Transaction, reference: string): Promise<string[]> {
  const rows = await on
    .selectFrom("payments")
    .select("payments.reference")
    .where(isOfOrderSql(reference))
    .where(IS_BY_HAND)
    .execute();
  return rows.map((row) => row.reference);
}
