import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { isForAll, type RefundWish } from "#app/orders/refund-plan.ts";
import type { ProviderRefund } from "#app/payment-provider/contract.ts";
import { provider } from "#app/payments/provider.server.ts";
import { isAlive } from "#app/payments/refund-match.ts";
import { SENT_WITHIN } from "#app/payments/refunds.server.ts";
import type { Done } from "./orders.server.ts";
import type { Proposal } from "./refunds.server.ts";

type Charge = { id: string; reference: string; amount: number; currency: string };

/** Records a charge without a payment of the shop as an issue, resolved if its money is already going back. */
export async function recordUnknownCharge(on: Db, { id, reference, amount, currency }: Charge): Promise<void> {
  await recordIssue(on, reference, "unknown-reference", { amount, currency });
  const listed = await provider.listRefunds(id);
  await setResolved(on, reference, listed.ok && leftOf(amount, listed.refunds) === 0);
}

/** What of a charge neither goes back nor has gone back. */
function leftOf(charged: number, refunds: ProviderRefund[]): number {
  const back = refunds.filter(isAlive).reduce((sum, { amount = charged }) => sum + amount, 0);
  return Math.max(0, charged - back);
}

/**
 * Gives back a charge without a payment of the shop, as a review of the provider or a webhook has found it. Safe to repeat: the provider's list of refunds is read
 * first, and a request without an answer is not repeated before it must show there. `record` logs the change, `found` if the money was going back already.
 */
async function refundUnknownCharge(
  on: Db,
  reference: string,
  record: (trx: Transaction, found?: string) => Promise<void>,
): Promise<Done> {
  const problem = (text: string): Done => ({ ok: false, problem: text });
  const done = (what: string, isFound = true) =>
    retryingTransaction(on, async (trx): Promise<Done> => {
      const wasOpen = await setResolved(trx, reference, true);
      if (isFound && wasOpen) await record(trx, what);
      return { ok: true, what };
    });
  if (!(await isUnknownCharge(on, reference))) return problem(NO_CHARGE);
  const charge = await provider.verify(reference);
  if (!charge.ok) return problem(`The payment provider does not tell of it: ${charge.message || charge.failure}`);
  const { id, state, status, amount } = charge.transaction;
  if (state === "reversed") return done("the money has gone back");
  if (state !== "paid") return problem(`Nothing was charged: the payment provider says '${status}'`);
  const listed = await provider.listRefunds(id);
  if (!listed.ok) return problem(`The payment provider does not list its refunds: ${listed.message || listed.failure}`);
  const left = leftOf(amount, listed.refunds);
  if (left === 0) return done(`the money goes back: '${listed.refunds.find(isAlive)?.status}'`);
  const begun = Date.now();
  if (!(await mayAsk(on, reference, record)) || Date.now() - begun > SENT_WITHIN)
    return problem("It was asked for a moment ago: say it again in five minutes");
  const asked = await provider.refund(reference, {
    kobo: left < amount ? left : undefined,
    note: "no order belongs to it",
  });
  if (!asked.ok)
    return problem(
      `The payment provider did not take it: ${asked.message || asked.failure}. Say it again in five minutes`,
    );
  return done("the money goes back", false);
}

/** Gives back a charge without a payment, and logs who did. Safe to repeat. */
export async function giveBackUnknownCharge(on: Db, by: Actor, reference: string): Promise<Done> {
  const subject = { kind: "order", id: reference };
  return refundUnknownCharge(on, reference, (trx, found) =>
    recordChange(trx, {
      by,
      action: found ? "orders resolve" : "orders refund",
      subject,
      ...(found && { after: { done: found } }),
    }),
  );
}

const NO_CHARGE =
  "There is no sale of this reference whose money could go back, and no charge that 'check --provider' has found";

/** What `refundUnknownCharge` would do, to be agreed to. */
export async function proposeUnknownCharge(on: Db, reference: string, wish: RefundWish): Promise<Proposal> {
  if (!(await isUnknownCharge(on, reference))) return { ok: false, problem: NO_CHARGE };
  if (!isForAll(wish) || wish.restock)
    return { ok: false, problem: "No order belongs to this charge: it goes back whole, without options" };
  return { ok: true, question: `${reference}: all of this charge, to which no order belongs, goes back.` };
}

async function isUnknownCharge(on: Db, reference: string): Promise<boolean> {
  const payment = await on.selectFrom("payments").select("state").where("reference", "=", reference).executeTakeFirst();
  const issue = await on
    .selectFrom("paymentIssues")
    .select("id")
    .where("reference", "=", reference)
    .where("kind", "=", "unknown-reference")
    .executeTakeFirst();
  return !payment && issue !== undefined;
}

/** `record` writes down, in the same transaction, that the money is asked for. */
async function mayAsk(on: Db, reference: string, record: (trx: Transaction) => Promise<void>): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const asking = await trx
      .updateTable("paymentIssues")
      .set({ details: sql`details || jsonb_build_object('askedAt', now())` })
      .where("reference", "=", reference)
      .where("kind", "=", "unknown-reference")
      .where(sql<boolean>`coalesce((details ->> 'askedAt')::timestamptz < now() - ${milliseconds(5 * MINUTE)}, true)`)
      .executeTakeFirst();
    if (asking.numUpdatedRows === 0n) return false;
    await record(trx);
    return true;
  });
}

/** Whether it was open. A refund that has failed later brings the charge back on the list of issues, unless the owner has closed it. */
async function setResolved(on: Db | Transaction, reference: string, resolved: boolean): Promise<boolean> {
  const open = await on
    .selectFrom("paymentIssues")
    .select("id")
    .where("reference", "=", reference)
    .where("kind", "=", "unknown-reference")
    .where("resolvedAt", "is", null)
    .executeTakeFirst();
  await on
    .updateTable("paymentIssues")
    .set({
      resolvedAt: sql<Date | null>`case when ${resolved} or details ? 'closedByOwner' then coalesce(resolved_at, now()) end`,
    })
    .where("reference", "=", reference)
    .where("kind", "=", "unknown-reference")
    .execute();
  return open !== undefined;
}
