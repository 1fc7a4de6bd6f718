import { type Selectable, sql } from "kysely";
import { type Db, transact } from "#app/infra/db.server.ts";
import { log } from "#app/infra/log.server.ts";
import type { Database } from "#db/types.ts";
import { lockOrder } from "./attempt.server.ts";
import { noteBreak } from "./breaks.server.ts";
import { concludeRefund } from "./give-back.server.ts";
import { type Failure, listRefunds, type ProviderRefund, refund, verify } from "./paystack.server.ts";

type Refund = Selectable<Database["refunds"]>;

/** Tries without an answer after which a person is asked to look. */
const PATIENCE = 5;

/** Carries out refunds that are due, at most `limit`; any number of processes may. Answers how many it took on. */
export async function runRefunds(on: Db, limit = 10): Promise<number> {
  const due = await claim(on, limit);
  await Promise.all(due.map((one) => advance(on, one).catch(noteFailure(one))));
  return due.length;
}

function noteFailure({ reference }: Refund): (error: unknown) => void {
  return (error) => log.error({ err: error, reference }, "giving money back");
}

/**
 * The claim is the time of the next try: whoever dies at work leaves the refund to be tried again in a minute. One that has failed is only looked at,
 * every hour: its money may have gone back by hand.
 */
async function claim(on: Db, limit: number): Promise<Refund[]> {
  return on
    .updateTable("refunds")
    .set(({ eb }) => ({
      nextTryAt: sql`now() + case when state = 'failed' then interval '1 hour' else interval '1 minute' end`,
      attempts: eb("attempts", "+", 1),
    }))
    .where("id", "in", (eb) =>
      eb
        .selectFrom("refunds")
        .select("id")
        .where("state", "!=", "done")
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
 * The provider does not know a repeated request for what it is. So its list is asked before each one, and whoever asks
 * for the money says so first: only one can, and a request whose reply was lost is not sent again before it must show.
 */
async function advance(on: Db, due: Refund): Promise<void> {
  const { reference } = due;
  const { providerId } = await on
    .selectFrom("payments")
    .select("providerId")
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();
  const listed = await listRefunds(providerId ?? reference);
  if (!listed.ok) return postpone(on, due, listed);
  const known = (await standOf(due, listed.refunds)) ?? answerTo(due, listed.refunds);
  if (known) return follow(on, due, known);
  const ids = listed.refunds.map(({ id }) => id);
  if (!(await mayAsk(on, due, ids))) return;
  const asked = await refund(reference, due.reason);
  if (asked.ok) return follow(on, due, asked.refund);
  if (asked.failure === "rejected" && (await isReversed(reference))) return conclude(on, reference);
  return postpone(on, due, asked, asked.failure === "unavailable" ? "sent" : "open");
}

const PARTLY = "partly-processed";

/** What has not failed. Several by hand may make up the whole: it is back when all of them are, and are enough. */
async function standOf({ kobo, reference }: Refund, refunds: ProviderRefund[]): Promise<ProviderRefund | undefined> {
  const underWay = refunds.find(({ status }) => status !== "failed" && status !== "processed");
  if (underWay) return underWay;
  const back = refunds.filter(({ status }) => status === "processed");
  const sum = back.reduce((sum, { amount = Number(kobo) }) => sum + amount, 0);
  const [one] = back;
  // Less than was paid may be all, where the provider keeps its fees.
  return one && sum < Number(kobo) && !(await isReversed(reference)) ? { ...one, status: PARTLY } : one;
}

/** What has failed since the provider was asked. */
function answerTo({ state, failedBefore }: Refund, failed: ProviderRefund[]): ProviderRefund | undefined {
  return state === "sent" ? failed.find(({ id }) => !failedBefore.includes(id)) : undefined;
}

async function mayAsk(on: Db, { id }: Refund, failedBefore: string[]): Promise<boolean> {
  const asking = await on
    .updateTable("refunds")
    .set({ state: "sent", failedBefore, updatedAt: sql`now()` })
    .where("id", "=", id)
    .where(sql<boolean>`(state = 'open' or (state = 'sent' and updated_at < now() - interval '5 minutes'))`)
    .executeTakeFirst();
  return asking.numUpdatedRows === 1n;
}

async function follow(
  on: Db,
  { id, reference, state }: Refund,
  { id: providerId, status }: ProviderRefund,
): Promise<void> {
  if (status === "processed") return conclude(on, reference);
  if (["failed", "needs-attention", PARTLY].includes(status))
    await noteBreak(on, reference, "refund-failed", { status });
  await on
    .updateTable("refunds")
    .set({
      state: status === "failed" ? "failed" : "sent",
      providerId,
      attempts: 0,
      nextTryAt: sql`now() + interval '5 minutes'`,
      lastError: null,
      updatedAt: sql`now()`,
    })
    .where("id", "=", id)
    .where("state", "in", state === "failed" ? ["failed"] : ["open", "sent"])
    .execute();
}

async function postpone(
  on: Db,
  { id, reference, attempts }: Refund,
  { failure, message }: Failure,
  state?: Refund["state"],
): Promise<void> {
  if (attempts >= PATIENCE) await noteBreak(on, reference, "refund-failed", { failure, message });
  await on
    .updateTable("refunds")
    .set({
      state, // when undefined, as another process may have left it meanwhile
      nextTryAt: sql`now() + ${Math.min(30 * 2 ** attempts, 3600)} * interval '1 second'`,
      lastError: `${failure}: ${message}`,
    })
    .where("id", "=", id)
    .execute();
}

/** A refund or chargeback that the shop did not ask for: a sale's money is looked for again. False when the provider gave no answer. */
export async function reviewSale(on: Db, reference: string): Promise<boolean> {
  const answer = await verify(reference);
  if (!answer.ok || answer.transaction.status !== "reversed") return answer.ok;
  const own = await on.selectFrom("refunds").select("id").where("reference", "=", reference).executeTakeFirst();
  if (!own) await noteBreak(on, reference, "reversed");
  await conclude(on, reference);
  return true;
}

async function isReversed(reference: string): Promise<boolean> {
  const answer = await verify(reference);
  return answer.ok && answer.transaction.status === "reversed";
}

async function conclude(on: Db, reference: string): Promise<void> {
  await transact(on, async (trx) => {
    const { payment, attempt } = await lockOrder(trx, reference);
    await concludeRefund(trx, payment, attempt);
  });
}
