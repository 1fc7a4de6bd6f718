import { sql } from "kysely";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { lockOrder } from "#app/orders/lifecycle.server.ts";
import {
  balanceOf,
  IS_UNFINISHED,
  nextTryAtSql,
  type Refund,
  recordReversal,
  settleRefunds,
} from "#app/orders/refund-rows.server.ts";
import type { Failure, ProviderRefund } from "#app/payment-provider/contract.ts";
import { isOfKeysSql, providerOfPayment } from "../provider.server.ts";
import { isAlive, isOf, refundNote } from "./match.ts";
import { recordRefunds } from "./record-reported.server.ts";

/** Tries without an answer after which an issue is opened for the owner. */
const TRIES_BEFORE_ISSUE = 5;
/** A claim ends after this time, so that other processes retry the refunds of a crashed one. */
const CLAIMED_FOR = MINUTE;
/** A failed refund is checked on, as the owner may have returned its money in the provider's dashboard. */
const FAILED_CHECKED_EVERY = HOUR;
/** A request whose response was lost appears in the provider's list within this time, if it arrived at all. */
const SHOWN_WITHIN = 5 * MINUTE;
/**
 * A process that was paused for longer between recording a request and sending it does not send it: another process may
 * have sent it by then.
 */
export const SENT_WITHIN = MINUTE;

/**
 * Carries out due refunds, at most `limit`. Any number of processes may run it at once. Returns how many it claimed.
 */
export async function runRefunds(on: Db, limit = 10): Promise<number> {
  const due = await claim(on, limit);
  await Promise.all(due.map((one) => advance(on, one).catch(logFailure(one))));
  return due.length;
}

function logFailure({ reference }: Refund): (error: unknown) => void {
  return (error) => log.error({ err: error, reference }, "giving money back");
}

/**
 * Claims due refunds by moving their next try ahead, so that they are due again if the process dies. A failed refund is
 * only looked up, not retried.
 */
async function claim(on: Db, limit: number): Promise<Refund[]> {
  return on
    .updateTable("refunds")
    .set(({ eb }) => ({
      nextTryAt: sql`now() + case when state = 'failed' then ${millisecondsSql(FAILED_CHECKED_EVERY)} else ${millisecondsSql(CLAIMED_FOR)} end`,
      tries: eb("tries", "+", 1),
    }))
    .where("id", "in", (eb) =>
      eb
        .selectFrom("refunds")
        .select("id")
        .where(sql<boolean>`${sql.raw(IS_UNFINISHED)}`)
        .where(
          sql<boolean>`exists (select from payments where payments.reference = refunds.reference and ${isOfKeysSql()})`,
        )
        .where("nextTryAt", "<=", sql<Date>`now()`)
        .orderBy("nextTryAt")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/**
 * Requests a due refund. The provider has no idempotency keys: a repeated request would refund twice. So its list of
 * refunds is read before each request, and the request is recorded before it is sent. Only one process can record it,
 * and a request whose response was lost is not repeated until it would have appeared in the list.
 */
async function advance(on: Db, due: Refund): Promise<void> {
  const { reference } = due;
  const reviewed = await reviewRefunds(on, reference);
  if (!reviewed.ok) return postpone(on, due, reviewed);
  const begun = Date.now();
  const asking = await markRequested(on, due, reviewed.refunds);
  if (!asking || Date.now() - begun > SENT_WITHIN) return;
  const note = refundNote(due.id, due.reason);
  const provider = await providerOfPayment(on, reference);
  const asked = await provider.refund(reference, { kobo: asking.isAll ? undefined : asking.kobo, note });
  if (asked.ok) return recordRequested(on, due, asked.refund.id);
  if (asked.failure === "fully-refunded") return conclude(on, reference);
  return postpone(on, due, asked, asked.failure === "unavailable" ? undefined : "open");
}

/** Asks the provider about a payment's refunds and records them. */
export async function reviewRefunds(
  on: Db,
  reference: string,
): Promise<{ ok: true; refunds: ProviderRefund[] } | Failure> {
  const provider = await providerOfPayment(on, reference);
  const answer = await provider.verify(reference);
  if (!answer.ok) return answer;
  const listed = await provider.listRefunds(answer.transaction.id);
  if (!listed.ok) return listed;
  const reported = { refunds: listed.refunds, isReversed: answer.transaction.state === "reversed" };
  await retryingTransaction(on, async (trx) => recordRefunds(trx, await lockOrder(trx, reference), reported));
  return listed;
}

/** Marks a refund as requested and returns its sum. Undefined if it must not be requested (again), or not yet. */
async function markRequested(
  on: Db,
  due: Refund,
  listed: ProviderRefund[],
): Promise<{ kobo: number; isAll: boolean } | undefined> {
  const failed = listed.filter((one) => isOf(one, due) && !isAlive(one)).map(({ id }) => id);
  const asking = await on
    .updateTable("refunds")
    .set({ state: "sent", failedBefore: failed, updatedAt: sql`now()` })
    .where("id", "=", due.id)
    .where("origin", "=", "shop")
    .where(
      sql<boolean>`(state = 'open' or (${IS_UNANSWERED} and updated_at < now() - ${millisecondsSql(SHOWN_WITHIN)}))`,
    )
    .returning("kobo")
    .executeTakeFirst();
  if (!asking) return;
  const { paid } = await balanceOf(on, due.reference);
  return { kobo: Number(asking.kobo), isAll: Number(asking.kobo) === paid };
}

const IS_UNANSWERED = sql`state = 'sent' and provider_id is null`;

/** Stores the provider's id, unless another process has meanwhile found the refund in the provider's list. */
async function recordRequested(on: Db, { id }: Refund, providerId: string): Promise<void> {
  await on
    .updateTable("refunds")
    .set({ providerId, tries: 0, nextTryAt: nextTryAtSql(millisecondsSql(SHOWN_WITHIN)), lastError: null })
    .where("id", "=", id)
    .where(sql<boolean>`${IS_UNANSWERED}`)
    .execute();
}

/**
 * Delays the next try after a failed request. `state`, if given, is the refund's new state, unless another process has
 * learned more meanwhile.
 */
async function postpone(
  on: Db,
  { id, reference, tries }: Refund,
  { failure, message }: Failure,
  state?: "open",
): Promise<void> {
  if (tries >= TRIES_BEFORE_ISSUE) await recordIssue(on, reference, "refund-failed", { failure, message }, id);
  await on
    .updateTable("refunds")
    .set({
      ...(state && { state: sql<Refund["state"]>`case when ${IS_UNANSWERED} then ${state} else state end` }),
      nextTryAt: nextTryAtSql(millisecondsSql(Math.min(30 * SECOND * 2 ** tries, HOUR))),
      lastError: `${failure}: ${message}`,
    })
    .where("id", "=", id)
    .execute();
}

async function conclude(on: Db, reference: string): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    const order = await lockOrder(trx, reference);
    await recordReversal(trx, order);
    await settleRefunds(trx, order);
  });
}
