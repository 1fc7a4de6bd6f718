import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { recordUnknownReference } from "#app/orders/issues.server.ts";
import { isForAll, type RefundWish } from "#app/orders/refund-plan.ts";
import type { PaymentProvider, ProviderRefund } from "#app/payment-provider/contract.ts";
import { isAlive } from "#app/payments/refunds/match.ts";
import { SENT_WITHIN } from "#app/payments/refunds/refunds.server.ts";
import { providerOf } from "#app/providers/registry.server.ts";
import type { Done } from "../orders.server.ts";
import type { Proposal } from "./refunds.server.ts";

type Charge = { id: string; reference: string; amount: number; currency: string };

/**
 * Records a charge without a payment here as an issue. The issue is resolved at once if the money is already being
 * refunded.
 */
export async function recordUnknownCharge(
  on: Db,
  provider: PaymentProvider,
  { id, reference, amount, currency }: Charge,
): Promise<void> {
  await recordUnknownReference(on, reference, provider.description.id, { amount, currency });
  const listed = await provider.listRefunds(id);
  await setResolved(on, reference, listed.ok && leftOf(amount, listed.refunds) === 0);
}

/** The part of a charge that is neither refunded nor being refunded. */
function leftOf(charged: number, refunds: ProviderRefund[]): number {
  const back = refunds.filter(isAlive).reduce((sum, { amount = charged }) => sum + amount, 0);
  return Math.max(0, charged - back);
}

/**
 * Refunds a charge without a payment here, which a review of the provider or a webhook has found. Safe to repeat: the
 * provider's list of refunds is read first, and a request without a response is not repeated before it would appear in
 * the list. `record` logs the change; it gets `found` if the money was already being refunded.
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
  const provider = await providerOfUnknown(on, reference);
  if (!provider) return problem(NO_CHARGE);
  const charge = await provider.verify(reference);
  if (!charge.ok) return problem(`The payment provider doesn’t tell of it: ${charge.message || charge.failure}`);
  const { id, state, status, amount } = charge.transaction;
  if (state === "reversed") return done("it's been refunded");
  if (state !== "paid") return problem(`Nothing was charged: the payment provider says '${status}'`);
  const listed = await provider.listRefunds(id);
  if (!listed.ok) return problem(`The payment provider doesn’t list its refunds: ${listed.message || listed.failure}`);
  const left = leftOf(amount, listed.refunds);
  if (left === 0) return done(`the money goes back: '${listed.refunds.find(isAlive)?.status}'`);
  const begun = Date.now();
  if (!(await mayAsk(on, reference, record)) || Date.now() - begun > SENT_WITHIN)
    return problem("It was requested a moment ago. Try again in five minutes");
  const asked = await provider.refund(reference, {
    kobo: left < amount ? left : undefined,
    note: "no order belongs to it",
  });
  if (!asked.ok)
    return problem(`The payment provider didn’t take it: ${asked.message || asked.failure}. Try again in five minutes`);
  return done("the money goes back", false);
}

/** Refunds a charge without a payment here, and logs who did it. Safe to repeat. */
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

const NO_CHARGE = "There's no sale with this reference to refund, and no charge that 'check --provider' found";

/** What `refundUnknownCharge` would do, as a question to the owner. */
export async function proposeUnknownCharge(on: Db, reference: string, wish: RefundWish): Promise<Proposal> {
  if (!(await providerOfUnknown(on, reference))) return { ok: false, problem: NO_CHARGE };
  if (!isForAll(wish) || wish.restock)
    return { ok: false, problem: "This charge has no order, so it's refunded whole, without options" };
  return { ok: true, question: `${reference}: all of this charge, which has no order, is refunded.` };
}

/** The provider of a charge without a payment here; undefined if no such charge has been found. */
async function providerOfUnknown(on: Db, reference: string): Promise<PaymentProvider | undefined> {
  const payment = await on.selectFrom("payments").select("state").where("reference", "=", reference).executeTakeFirst();
  const issue = await on
    .selectFrom("paymentIssues")
    .select("provider")
    .where("reference", "=", reference)
    .where("kind", "=", "unknown-reference")
    .executeTakeFirst();
  return payment || !issue ? undefined : providerOf(issue.provider);
}

/** Whether the refund may be requested now. If so, `record` logs the request in the same transaction. */
async function mayAsk(on: Db, reference: string, record: (trx: Transaction) => Promise<void>): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    const asking = await trx
      .updateTable("paymentIssues")
      .set({ details: sql`details || jsonb_build_object('askedAt', now())` })
      .where("reference", "=", reference)
      .where("kind", "=", "unknown-reference")
      .where(
        sql<boolean>`coalesce((details ->> 'askedAt')::timestamptz < now() - ${millisecondsSql(5 * MINUTE)}, true)`,
      )
      .executeTakeFirst();
    if (asking.numUpdatedRows === 0n) return false;
    await record(trx);
    return true;
  });
}

/**
 * Resolves the issue of a charge, or reopens it if a refund has failed, unless the owner has closed the issue. Returns
 * whether it was open before.
 */
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
