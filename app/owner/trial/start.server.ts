import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { Problem } from "#app/infra/problem.server.ts";
import type { Fault } from "../faults/fault.ts";
import { hasTrialLeft, leftByTrial, linesOf } from "./left.server.ts";

/**
 * Called at each start with live keys. The first call marks the shop as live. Throws if a trial has left data that a
 * live shop must not have, and lists it with `say`: going live cannot be undone, so the owner decides.
 */
export async function beginLive(on: Db, say: (line: string) => void): Promise<void> {
  const left = await leftByTrial(on);
  if (hasTrialLeft(left)) {
    say("The shop's database still holds data from a trial:");
    for (const line of linesOf(left)) say(`  ${line}`);
    throw new Problem(
      "PAYSTACK_SECRET_KEY: this is a live key, and the database holds a trial. To keep only the catalogue: npm run shop -- go-live",
    );
  }
  await retryingTransaction(on, (trx) => markLive(trx));
}

/** The same data as a fault for `check`, because the shop may have run with test keys again meanwhile. */
export async function trialFaults(on: Db | Transaction): Promise<Fault[]> {
  const left = await leftByTrial(on);
  if (!hasTrialLeft(left)) return [];
  const what = `the database still holds data from a trial: ${linesOf(left).join("; ")}`;
  return [{ rule: "I31", where: "settings", what, todo: "npm run shop -- go-live" }];
}

/** Safe to repeat. */
export async function markLive(trx: Transaction): Promise<void> {
  await trx
    .insertInto("liveShop")
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
