import { setTimeout as sleep } from "node:timers/promises";
import { type Selectable, sql } from "kysely";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { HOUR, MINUTE, SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { lockOrder, releaseExpired } from "#app/orders/lifecycle.server.ts";
import { IS_LIVE } from "#app/orders/state.ts";
import { RESERVED_UNANSWERED } from "#app/orders/time-limits.ts";
import type { Database } from "#db/types.ts";
import { WATCHED_FOR, waitBefore } from "./check-schedule.ts";
import { reviewRefunds, runRefunds } from "./refunds.server.ts";
import { settlePayment } from "./settle.server.ts";

type Payment = Selectable<Database["payments"]>;

/** A process that dies leaves its payment to the others after this. */
const CLAIMED_FOR = 30 * SECOND;

/** Looks at payments that are due, at most `limit`; any number of processes may. Answers how many it took on. */
export async function reconcileDue(on: Db, limit = 20): Promise<number> {
  const due = await claim(on, limit);
  await Promise.all(due.map((payment) => check(on, payment).catch(logFailure(payment))));
  return due.length;
}

/** A payment that cannot be looked up delays no other: its claim brings it back. */
function logFailure({ reference }: Payment): (error: unknown) => void {
  return (error) => log.error({ err: error, reference }, "looking at a payment");
}

/** The claim is the time of the next look: a process that dies leaves the payment to the others. */
async function claim(on: Db, limit: number): Promise<Payment[]> {
  return on
    .updateTable("payments")
    .set({ nextCheckAt: sql`now() + ${milliseconds(CLAIMED_FOR)}` })
    .where("reference", "in", (eb) =>
      eb
        .selectFrom("payments")
        .select("reference")
        .where("nextCheckAt", "<=", sql<Date>`now()`)
        .orderBy("nextCheckAt")
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

async function check(on: Db, payment: Payment): Promise<void> {
  if (await look(on, payment)) return schedule(on, payment.reference, payment.checks + 1);
  await releaseUnanswered(on, payment.reference);
  await lookAgain(on, payment);
}

/** False when the provider gave no answer: nothing is known then. */
async function look(on: Db, { reference, state }: Payment): Promise<boolean> {
  if (state === "paid" || state === "refused") return (await reviewRefunds(on, reference)).ok;
  return (await settlePayment(reference, on)).outcome !== "unavailable";
}

/**
 * Settlement frees expired stock once the provider has said that nothing was paid. A provider that cannot be asked is
 * waited for some time longer; what is paid after that is sold from stock or given back.
 */
async function releaseUnanswered(on: Db, reference: string): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    const { order } = await lockOrder(trx, reference);
    await releaseExpired(trx, order.id, RESERVED_UNANSWERED);
  });
}

/** Whether nothing has been heard for three days: neither of the payment nor, by a webhook, from the provider. */
const IS_OLD = sql<boolean>`greatest(p.created_at, p.webhook_at) < now() - ${milliseconds(WATCHED_FOR)}`;

/**
 * A look without an answer never ends the watch, and the next one comes soon even for a payment that is seldom looked at by now; for an
 * old one within the hour. A look that a webhook has asked for meanwhile is not put off.
 */
async function lookAgain(on: Db, { reference, checks }: Payment): Promise<void> {
  const wait = sql`case when ${IS_OLD} then ${milliseconds(HOUR)} else ${milliseconds(Math.min(waitBefore(checks), MINUTE))} end`;
  await on
    .updateTable("payments as p")
    .set({ nextCheckAt: sql<Date>`now() + ${wait}` })
    .where("p.reference", "=", reference)
    .where("p.nextCheckAt", ">", sql<Date>`now()`)
    .execute();
}

/**
 * When to look again: less and less often, but always when the reservation ends; after three days only if a webhook asks. A look that one has
 * asked for meanwhile is not put off.
 */
async function schedule(on: Db, reference: string, checks: number): Promise<void> {
  const next = sql<Date>`now() + ${milliseconds(waitBefore(checks))}`;
  const soon = sql<Date>`now() + ${milliseconds(waitBefore(0))}`;
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
        when ${IS_OLD} then null
        when a.${sql.raw(IS_LIVE)} then least(${next}, greatest(a.expires_at, ${soon}))
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
    .where("state", "in", ["created", "pending"]) // it may be paid by now
    .execute();
}

/** One round of everything that payments need without being asked. Answers whether there may be more to do at once. */
export async function reconcile(on: Db): Promise<boolean> {
  const [payments, refunds] = [await reconcileDue(on), await runRefunds(on)];
  return payments + refunds > 0;
}

let wake = () => {};

/** Lets this process's rounds begin at once: something has come in. Other processes see it within a second. */
export function wakeReconciler(): void {
  wake();
}

const aSecond = (signal: AbortSignal): Promise<void> => sleep(SECOND, undefined, { signal });

/**
 * Reconciles until the answer is called, which resolves when the round under way has ended. Between two rounds, unless there is more to do, lies a `rest`
 * that a wake breaks off.
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
