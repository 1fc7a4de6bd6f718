import { setTimeout as sleep } from "node:timers/promises";
import { type Selectable, sql } from "kysely";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { lockOrder, releaseExpired } from "#app/orders/lifecycle.server.ts";
import { IS_LIVE } from "#app/orders/state.ts";
import { RESERVED_UNANSWERED } from "#app/orders/time-limits.ts";
import type { Database } from "#db/types.ts";
import { WATCHED_FOR, waitBefore } from "./check-schedule.ts";
import { isOfKeysSql } from "./provider.server.ts";
import { reviewRefunds, runRefunds } from "./refunds/refunds.server.ts";
import { settlePayment } from "./settle.server.ts";

type Payment = Selectable<Database["payments"]>;

/** A claim ends after this time, so that other processes take over the payments of a crashed one. */
const CLAIMED_FOR = 30 * SECOND;

/** Checks due payments, at most `limit`. Any number of processes may run it at once. Returns how many it claimed. */
export async function reconcileDue(on: Db, limit = 20): Promise<number> {
  const due = await claim(on, limit);
  await Promise.all(due.map((payment) => check(on, payment).catch(logFailure(payment))));
  return due.length;
}

/** Logs a failed check, so that it does not stop the others. The payment is due again when its claim ends. */
function logFailure({ reference }: Payment): (error: unknown) => void {
  return (error) => log.error({ err: error, reference }, "looking at a payment");
}

/** Claims due payments by moving their next check ahead, so that they are due again if the process dies. */
async function claim(on: Db, limit: number): Promise<Payment[]> {
  return on
    .updateTable("payments")
    .set({ nextCheckAt: sql`now() + ${millisecondsSql(CLAIMED_FOR)}` })
    .where("reference", "in", (eb) =>
      eb
        .selectFrom("payments")
        .select("reference")
        .where("nextCheckAt", "<=", sql<Date>`now()`)
        .where(isOfKeysSql())
        .orderBy("nextCheckAt")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

async function check(on: Db, payment: Payment): Promise<void> {
  if (await askProvider(on, payment)) return schedule(on, payment.reference, payment.checks + 1);
  await releaseUnanswered(on, payment.reference);
  await scheduleRetry(on, payment);
}

/** Returns false if the provider gave no answer. */
async function askProvider(on: Db, { reference, state }: Payment): Promise<boolean> {
  if (state === "paid" || state === "refused") return (await reviewRefunds(on, reference)).ok;
  return (await settlePayment(reference, on)).outcome !== "unavailable";
}

/**
 * Releases an expired order although the provider cannot be reached. Settlement releases an expired order as soon as
 * the provider says that nothing was paid; without an answer, the order is kept for `RESERVED_UNANSWERED` longer. A
 * payment that comes later is sold from stock or refunded.
 */
async function releaseUnanswered(on: Db, reference: string): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    const { order } = await lockOrder(trx, reference);
    await releaseExpired(trx, order.id, RESERVED_UNANSWERED);
  });
}

/** Whether the payment is older than three days, and its last webhook as well. */
const IS_OLD = sql<boolean>`greatest(p.created_at, p.webhook_at) < now() - ${millisecondsSql(WATCHED_FOR)}`;

/**
 * Schedules the next check after the provider gave no answer: within a minute, or for an old payment after an hour,
 * however long the provider is unreachable. A check that a webhook has made due meanwhile is not delayed.
 */
async function scheduleRetry(on: Db, { reference, checks }: Payment): Promise<void> {
  const isOver = sql<boolean>`not exists (select from orders where id = p.order_id and ${sql.raw(IS_LIVE)})`;
  const wait = sql`case when ${IS_OLD} and ${isOver} then ${millisecondsSql(HOUR)} else ${millisecondsSql(Math.min(waitBefore(checks), MINUTE))} end`;
  await on
    .updateTable("payments as p")
    .set({ nextCheckAt: sql<Date>`now() + ${wait}` })
    .where("p.reference", "=", reference)
    .where("p.nextCheckAt", ">", sql<Date>`now()`)
    .execute();
}

/**
 * Schedules the next check: at growing intervals, but also when the reservation ends. After three days only a webhook
 * makes a payment due. A check that a webhook has made due meanwhile is not delayed.
 */
async function schedule(on: Db, reference: string, checks: number): Promise<void> {
  const next = sql<Date>`now() + ${millisecondsSql(waitBefore(checks))}`;
  const soon = sql<Date>`now() + ${millisecondsSql(waitBefore(0))}`;
  const payment = await on
    .updateTable("payments as p")
    .from("orders as a")
    .whereRef("a.id", "=", "p.orderId")
    .where("p.reference", "=", reference)
    .where("p.nextCheckAt", ">", sql<Date>`now()`)
    .set({
      checks,
      nextCheckAt: sql<Date | null>`case
        when p.state in ('paid', 'refused') then null
        when a.${sql.raw(IS_LIVE)} then least(${next}, greatest(a.expires_at, ${soon}))
        when ${IS_OLD} then null
        when p.provider_status = 'not-found' then null
        else ${next} end`,
    })
    .returning("p.nextCheckAt")
    .executeTakeFirst();
  if (!payment || payment.nextCheckAt) return;
  await on
    .updateTable("payments")
    .set({ state: "unpaid" })
    .where("reference", "=", reference)
    .where("state", "in", ["created", "pending"]) // a payment in another state may have been paid meanwhile
    .execute();
}

/** One round of all background work on payments and refunds. Returns true if more may be due already. */
export async function reconcile(on: Db): Promise<boolean> {
  const [payments, refunds] = [await reconcileDue(on), await runRefunds(on)];
  return payments + refunds > 0;
}

let wake = () => {};

/** Starts this process's next round at once, as after a webhook. Other processes notice within a second. */
export function wakeReconciler(): void {
  wake();
}

const aSecond = (signal: AbortSignal): Promise<void> => sleep(SECOND, undefined, { signal });

/**
 * Reconciles in a loop. The returned function stops the loop and resolves when the current round has ended. Between
 * rounds it waits for `rest`, unless more is due; waking aborts the rest.
 */
export function startReconciling(on: Db, rest = aSecond): () => Promise<void> {
  let stopped = false;
  const rounds = (async () => {
    while (!stopped) {
      const wakeable = new AbortController();
      wake = () => wakeable.abort();
      const more = await reconcile(on).catch((error) => {
        log.error({ err: error }, "reconciling payments");
        return false;
      });
      if (!more && !stopped) await rest(wakeable.signal).catch(() => undefined);
    }
  })();
  return () => {
    stopped = true;
    wake();
    return rounds;
  };
}
