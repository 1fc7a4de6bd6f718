import { sql } from "kysely";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { DAY, MINUTE } from "#app/infra/durations.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { isForAll, type RefundWish } from "#app/orders/refund-plan.ts";
import type { Failure, ProviderRefund } from "#app/payment-provider/contract.ts";
import { provider } from "#app/payments/provider.server.ts";
import { isAlive } from "#app/payments/refund-match.ts";
import { reviewRefunds } from "#app/payments/refunds.server.ts";
import { settlePayment } from "#app/payments/settle.server.ts";
import type { Broken } from "./invariants.server.ts";
import type { Done } from "./orders.server.ts";
import type { Proposal } from "./refunds.server.ts";

export type Review = { ok: true; charges: number; broken: Broken[] } | { ok: false; problem: string };

/**
 * Goes through what the provider has charged and given back in the last days: what the shop had not seen yet is settled or recorded; what it knows
 * nothing of (as after an old backup was restored) is written down for a person, who may have it given back.
 */
export async function reviewProvider(on: Db, days: number): Promise<Review> {
  const since = new Date(Date.now() - days * DAY);
  const broken: Broken[] = [];
  const charged = new Set<string>();
  for (let page = 1, more = true; more; page++) {
    const answer = await provider.listCharges(since, page);
    if (!answer.ok) return noList(answer);
    for (const { id, reference, amount, currency } of answer.transactions) {
      charged.add(reference);
      const { outcome } = await settlePayment(reference, on);
      if (outcome !== "unknown-reference") continue;
      await recordIssue(on, reference, "unknown-reference", { amount, currency });
      const refunds = await provider.listRefunds(id);
      const goesBack = refunds.ok && refunds.refunds.some(isAlive);
      if (await resolve(on, reference, goesBack)) continue;
      broken.push({
        rule: "I3",
        what: `charged ${amount} ${currency}, and the shop knows nothing of it`,
        where: reference,
      });
    }
    more = answer.more;
  }
  const known = await listChangedRefunds(on, since);
  if (!known.ok) return noList(known);
  // A sale that the provider does not list as charged: its bank may have taken the money back.
  const sales = await on
    .selectFrom("sales")
    .innerJoin("payments", "payments.reference", "sales.reference")
    .select("sales.reference")
    .where("sales.createdAt", ">=", since)
    .where("providerId", "is not", null) // else it was moved in from another shop
    .execute();
  const unlisted = sales.map(({ reference }) => reference).filter((reference) => !charged.has(reference));
  for (const reference of new Set([...known.references, ...unlisted])) {
    const looked = await reviewRefunds(on, reference);
    if (!looked.ok && looked.failure !== "not-found") return noList(looked);
    if (!looked.ok)
      broken.push({ rule: "I4", what: "the payment provider knows nothing of this sale", where: reference });
  }
  return { ok: true, charges: charged.size, broken };
}

function noList({ message, failure }: Failure): Review {
  return { ok: false, problem: `The payment provider gives no list: ${message || failure}` };
}

/** Records what was given back in the last days without the shop: by hand on the provider's dashboard, where no webhook has told of it. */
export async function reviewRefundsMade(on: Db, days: number): Promise<void> {
  const listed = await listChangedRefunds(on, new Date(Date.now() - days * DAY));
  if (!listed.ok)
    throw new Error(`The payment provider does not list its refunds: ${listed.message || listed.failure}`);
  for (const reference of listed.news) {
    const looked = await reviewRefunds(on, reference);
    if (!looked.ok)
      throw new Error(`The refunds of ${reference} cannot be looked at: ${looked.message || looked.failure}`);
  }
}

/** What a refund of ours is called of which the provider says so. */
const SAME_HERE = { processed: "done", failed: "failed", pending: "sent", "needs-attention": "sent" } as const;

/** The payments of which money goes back since then, by the provider's list or by ours; `news` are those whose refund stands otherwise here. */
async function listChangedRefunds(
  on: Db,
  since: Date,
): Promise<{ ok: true; references: string[]; news: string[] } | Failure> {
  const own = await on
    .selectFrom("refunds")
    .innerJoin("payments", "payments.reference", "refunds.reference")
    .select("refunds.reference")
    .where("refunds.updatedAt", ">=", since)
    .where("payments.providerId", "is not", null)
    .execute();
  const references = new Set(own.map(({ reference }) => reference));
  const news = new Set<string>();
  for (let page = 1, more = true; more; page++) {
    const answer = await provider.listRefundsSince(since, page);
    if (!answer.ok) return answer;
    const { references: paid, changed } = await compareWithOwn(on, answer.refunds);
    for (const reference of paid) references.add(reference);
    for (const reference of changed) news.add(reference);
    more = answer.more;
  }
  return { ok: true, references: [...references], news: [...news] };
}

async function compareWithOwn(on: Db, listed: ProviderRefund[]) {
  const ids = [...new Set(listed.flatMap(({ transactionId }) => transactionId ?? []))];
  const rows = await on
    .selectFrom("payments")
    .leftJoin("refunds", "refunds.reference", "payments.reference")
    .select(["payments.reference", "payments.providerId as transactionId"])
    .select(["refunds.providerId", "refunds.state", "refunds.failedBefore"])
    .where("payments.providerId", "=", sql<string>`any(${ids}::text[])`)
    .execute();
  const changed = listed.flatMap(({ id, status, transactionId }) => {
    const own = rows.filter((row) => row.transactionId === transactionId);
    const isKnown = own.some(
      ({ providerId, state, failedBefore }) =>
        failedBefore?.includes(id) || (providerId === id && state === SAME_HERE[status]),
    );
    return isKnown || status === "failed" ? [] : own.slice(0, 1).map(({ reference }) => reference);
  });
  return { references: rows.map(({ reference }) => reference), changed };
}

/**
 * Gives back a charge that `reviewProvider` or a webhook has noted and that no payment of the shop belongs to. Said again, it asks for nothing twice:
 * the provider's list of refunds is looked at first, and what was asked for without an answer is not asked for again before it must show there.
 */
export async function refundUnknown(
  on: Db,
  reference: string,
  noteAsked: (trx: Transaction) => Promise<void> = async () => {},
): Promise<Done> {
  const problem = (text: string): Done => ({ ok: false, problem: text });
  const done = async (what: string): Promise<Done> => {
    await resolve(on, reference, true);
    return { ok: true, what };
  };
  if (!(await isUnknownCharge(on, reference))) return problem(NO_CHARGE);
  const charge = await provider.verify(reference);
  if (!charge.ok) return problem(`The payment provider does not tell of it: ${charge.message || charge.failure}`);
  const { id, state, status } = charge.transaction;
  if (state === "reversed") return done("the money has gone back");
  if (state !== "paid") return problem(`Nothing was charged: the payment provider says '${status}'`);
  const listed = await provider.listRefunds(id);
  if (!listed.ok) return problem(`The payment provider does not list its refunds: ${listed.message || listed.failure}`);
  const known = listed.refunds.find(isAlive);
  if (known) return done(`the money goes back: '${known.status}'`);
  if (!(await mayAsk(on, reference, noteAsked)))
    return problem("It was asked for a moment ago: say it again in five minutes");
  const asked = await provider.refund(reference, { note: "no order belongs to it" });
  if (!asked.ok)
    return problem(
      `The payment provider did not take it: ${asked.message || asked.failure}. Say it again in five minutes`,
    );
  return done("the money goes back");
}

const NO_CHARGE =
  "There is no sale of this reference whose money could go back, and no charge that 'check --provider' has found";

/** What `refundUnknown` would do, to be agreed to. */
export async function proposeUnknown(on: Db, reference: string, wish: RefundWish): Promise<Proposal> {
  if (!(await isUnknownCharge(on, reference))) return { ok: false, problem: NO_CHARGE };
  if (!isForAll(wish) || wish.restock)
    return { ok: false, problem: "No order belongs to this charge: it goes back whole, without options" };
  return { ok: true, question: `${reference}: all of this charge, to which no order belongs, goes back.` };
}

async function isUnknownCharge(on: Db, reference: string): Promise<boolean> {
  const payment = await on.selectFrom("payments").select("state").where("reference", "=", reference).executeTakeFirst();
  const noted = await on
    .selectFrom("paymentIssues")
    .select("id")
    .where("reference", "=", reference)
    .where("kind", "=", "unknown-reference")
    .executeTakeFirst();
  return !payment && noted !== undefined;
}

/** `noteAsked` writes down, in the same transaction, that the money is asked for. */
async function mayAsk(on: Db, reference: string, noteAsked: (trx: Transaction) => Promise<void>): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const asking = await trx
      .updateTable("paymentIssues")
      .set({ details: sql`details || jsonb_build_object('askedAt', now())` })
      .where("reference", "=", reference)
      .where("kind", "=", "unknown-reference")
      .where(sql<boolean>`coalesce((details ->> 'askedAt')::timestamptz < now() - ${milliseconds(5 * MINUTE)}, true)`)
      .executeTakeFirst();
    if (asking.numUpdatedRows === 0n) return false;
    await noteAsked(trx);
    return true;
  });
}

/** `resolved` false: a refund that has failed later brings the charge back on the list, unless the owner has closed it. True when it is off the list. */
async function resolve(on: Db, reference: string, resolved: boolean): Promise<boolean> {
  const known = await on
    .updateTable("paymentIssues")
    .set({
      resolvedAt: sql<Date | null>`case when ${resolved} or details ? 'closedByOwner' then coalesce(resolved_at, now()) end`,
    })
    .where("reference", "=", reference)
    .where("kind", "=", "unknown-reference")
    .returning("resolvedAt")
    .executeTakeFirst();
  return known?.resolvedAt != null;
}
