import { sql } from "kysely";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { recordIssue } from "#app/orders/issues.server.ts";
import { lockOrder } from "#app/orders/lifecycle.server.ts";
import {
  balanceOf,
  IS_UNFINISHED,
  lookAgainIn,
  type Refund,
  recordReversal,
  settleRefunds,
} from "#app/orders/refund-rows.server.ts";
import type { Failure, ProviderRefund } from "#app/payment-provider/contract.ts";
import { provider } from "./provider.server.ts";
import { recordRefunds } from "./record-refunds.server.ts";
import { isAlive, isOf, refundNote } from "./refund-match.ts";

/** Tries without an answer after which a person is asked to look. */
const TRIES_BEFORE_ISSUE = 5;
/** A process that dies leaves its refund to be tried again after this. */
const CLAIMED_FOR = MINUTE;
/** The money of one that has failed may have gone back by hand. */
const FAILED_LOOKED_AT_EVERY = HOUR;
/** A request whose answer was lost shows in the provider's list by then, if it arrived. */
const SHOWN_WITHIN = 5 * MINUTE;
/** A process that stood still for longer after writing a request down does not send it: another one may have by then. */
export const SENT_WITHIN = MINUTE;

/** Carries out refunds that are due, at most `limit`; any number of processes may. Answers how many it took on. */
export async function runRefunds(on: Db, limit = 10): Promise<number> {
  const due = await claim(on, limit);
  await Promise.all(due.map((one) => advance(on, one).catch(logFailure(one))));
  return due.length;
}

function logFailure({ reference }: Refund): (error: unknown) => void {
  return (error) => log.error({ err: error, reference }, "giving money back");
}

/**
 * The claim is the time of the next try: a process that dies leaves the refund to others. A failed refund is only looked up.
 */
async function claim(on: Db, limit: number): Promise<Refund[]> {
  return on
    .updateTable("refunds")
    .set(({ eb }) => ({
      nextTryAt: sql`now() + case when state = 'failed' then ${milliseconds(FAILED_LOOKED_AT_EVERY)} else ${milliseconds(CLAIMED_FOR)} end`,
      tries: eb("tries", "+", 1),
    }))
    .where("id", "in", (eb) =>
      eb
        .selectFrom("refunds")
        .select("id")
        .where(sql<boolean>`${sql.raw(IS_UNFINISHED)}`)
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
 * The provider does not recognize a repeated request. So its list is read before each one, and the request is written down
 * first: only one process can, and a request whose reply was lost is not sent again before it must show in the list.
 */
async function advance(on: Db, due: Refund): Promise<void> {
  const { reference } = due;
  const looked = await reviewRefunds(on, reference);
  if (!looked.ok) return postpone(on, due, looked);
  const begun = Date.now();
  const asking = await mayAsk(on, due, looked.refunds);
  if (!asking || Date.now() - begun > SENT_WITHIN) return;
  const note = refundNote(due.id, due.reason);
  const asked = await provider.refund(reference, { kobo: asking.isAll ? undefined : asking.kobo, note });
  if (asked.ok) return recordRequested(on, due, asked.refund.id);
  if (asked.failure === "fully-refunded") return conclude(on, reference);
  return postpone(on, due, asked, asked.failure === "unavailable" ? undefined : "open");
}

/** Asks the provider what has become of a payment's money, and writes it down. */
export async function reviewRefunds(
  on: Db,
  reference: string,
): Promise<{ ok: true; refunds: ProviderRefund[] } | Failure> {
  const answer = await provider.verify(reference);
  if (!answer.ok) return answer;
  const listed = await provider.listRefunds(answer.transaction.id);
  if (!listed.ok) return listed;
  const reported = { refunds: listed.refunds, isReversed: answer.transaction.state === "reversed" };
  await retryingTransaction(on, async (trx) => recordRefunds(trx, await lockOrder(trx, reference), reported));
  return listed;
}

/** Says that a refund is asked for now, and for how much; undefined where it must not be, or not yet. */
async function mayAsk(
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
    .where(sql<boolean>`(state = 'open' or (${IS_UNANSWERED} and updated_at < now() - ${milliseconds(SHOWN_WITHIN)}))`)
    .returning("kobo")
    .executeTakeFirst();
  if (!asking) return;
  const { paid } = await balanceOf(on, due.reference);
  return { kobo: Number(asking.kobo), isAll: Number(asking.kobo) === paid };
}

const IS_UNANSWERED = sql`state = 'sent' and provider_id is null`;

/** Unless somebody has seen it in the provider's list meanwhile. */
async function recordRequested(on: Db, { id }: Refund, providerId: string): Promise<void> {
  await on
    .updateTable("refunds")
    .set({ providerId, tries: 0, nextTryAt: lookAgainIn(milliseconds(SHOWN_WITHIN)), lastError: null })
    .where("id", "=", id)
    .where(sql<boolean>`${IS_UNANSWERED}`)
    .execute();
}

/** `state` is what a request has come to, where that is known, unless another process has found out more meanwhile. */
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
      nextTryAt: lookAgainIn(milliseconds(Math.min(30 * SECOND * 2 ** tries, HOUR))),
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
