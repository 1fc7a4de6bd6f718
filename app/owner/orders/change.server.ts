import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { actsOn, actTo } from "./acts.server.ts";
import { lockKnownOrder } from "./lookup.server.ts";
import { IS_TEST } from "./may-leave.ts";
import type { Done, InTransaction } from "./orders.server.ts";

/**
 * Carries out a change of an order and records it in the audit log with the order's state before and after, in one
 * transaction. `seen` is the last act on the order that the caller has seen: if the order has been changed since,
 * nothing is changed, and the acts are returned. A change that had already been done, such as by the first press of a
 * double click, is said to be done.
 */
export function changeOrder(on: Db, by: Actor, action: string, reference: string, seen?: string): InTransaction {
  return (work) =>
    retryingTransaction(on, async (trx) => {
      const before = await standOf(trx, reference);
      if (before?.trial) return { ok: false, problem: IS_TEST };
      const since = seen === undefined ? [] : await actsOn(trx, reference, seen);
      if (since.length > 0)
        return (
          (await repeated(trx, work)) ?? {
            ok: false,
            problem: "Somebody else has changed this order meanwhile",
            since: since.map((act) => actTo(by.name, act)),
          }
        );
      const done = await work(trx);
      if (!done.ok || done.isRepeat) return done;
      const { recorded, ...said } = done;
      const after = { ...(await standOf(trx, reference)), ...recorded, done: done.what };
      await recordChange(trx, { by, action, subject: { kind: "order", id: reference }, before, after });
      return said;
    });
}

/** The result of `work` if it had already been done. Otherwise undefined, and nothing is changed. */
async function repeated(trx: Transaction, work: (trx: Transaction) => Promise<Done>): Promise<Done | undefined> {
  await sql`savepoint before_work`.execute(trx);
  const done = await work(trx);
  if (done.ok && done.isRepeat) return done;
  await sql`rollback to savepoint before_work`.execute(trx);
  return;
}

/** The order's state before the change, locked. Undefined if no order has this reference. */
async function standOf(trx: Transaction, reference: string) {
  const known = await lockKnownOrder(trx, reference);
  if (!known) return;
  const sale = await trx
    .selectFrom("sales")
    .select(["packedAt", "fulfilledAt", "carrier", "tracking", "readyAt", "deliveredAt", "returnedAt"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  return { state: known.order.state, ...(known.order.trial && { trial: true }), ...sale };
}
