import type { UpdateObject } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { type LockedReturn, lockReturn } from "#app/orders/returns/rows.server.ts";
import { acceptsReturnEvent, type ReturnEvent } from "#app/orders/returns/state.ts";
import type { Database } from "#db/types.ts";
import type { Done } from "../orders/orders.server.ts";
import { actsOnReturn } from "./acts.server.ts";

/**
 * The person who decides. `seen` is the id of the last act in the audit log that this person has seen. If others have
 * acted since, nothing is changed and their acts are returned. If the same person has already done the same, as by a
 * second press, the first result is returned.
 */
export type Deciding = { by: Actor; seen?: string };

type Changed = { ok: true; what: string; after?: object } | Extract<Done, { ok: false }>;
type Changing = Deciding & {
  action: string;
  /** Why the earlier act of the same kind is not the one that is requested now. Undefined if it is. */
  otherThan?: (trx: Transaction, found: LockedReturn) => Promise<Refused | undefined>;
};

/** Locks a return, changes it and records the act in the audit log. With `seen`, a repeated request changes nothing. */
export async function changeReturn(
  on: Db | Transaction,
  number: string,
  { by, seen, action, otherThan }: Changing,
  change: (trx: Transaction, found: LockedReturn) => Promise<Changed>,
): Promise<Done> {
  return retryingTransaction(on, async (trx): Promise<Done> => {
    const found = await lockReturn(trx, number);
    if (!found) return refuse(`There’s no return ${number}`);
    const since = seen === undefined ? [] : await actsOnReturn(trx, number, seen);
    const [first, ...others] = since;
    if (first?.action === action && first.actor === by.name && others.length === 0)
      return (await otherThan?.(trx, found)) ?? { ok: true, what: first.done ?? "done", isRepeat: true };
    if (since.length > 0) return { ok: false, problem: "Somebody else has changed this return", since };
    const done = await change(trx, found);
    if (!done.ok) return done;
    const { state } = await trx
      .selectFrom("returns")
      .select("state")
      .where("id", "=", found.id)
      .executeTakeFirstOrThrow();
    await recordChange(trx, {
      by,
      action,
      subject: { kind: "return", id: number },
      before: { state: found.state, wish: found.wish },
      after: { order: found.order.number, state, ...done.after, done: done.what },
    });
    return { ok: true, what: done.what };
  });
}

export const GIVEN_BACK = "The order has been refunded";

/** Why a return does not accept this event. Undefined if it does. */
export function refusal({ state, sendBack }: LockedReturn, event: ReturnEvent, waive = false): Refused | undefined {
  if (!acceptsReturnEvent(state, event)) {
    if (state === "asked") return refuse("It hasn't been approved. First use 'returns approve'");
    return refuse(`It is ${state} already`);
  }
  if (event === "end" && state === "approved" && sendBack && !waive)
    return refuse("Its items haven't come back. Use 'returns receive', or --keep if they don't need to");
  return;
}

/** Why the pieces of a return cannot be restocked. Undefined if they can. */
export function noRestock({ state }: LockedReturn, restock = false): Refused | undefined {
  return restock && state !== "received"
    ? refuse("Its items haven't come back, so they can't be put back in stock")
    : undefined;
}

/** The columns that every end of a return sets. */
export function ended(
  { sendBack }: LockedReturn,
  { waive = false }: { waive?: boolean },
): UpdateObject<Database, "returns"> {
  return { endedAt: new Date(), sendBack: sendBack && !waive };
}

export type Refused = { ok: false; problem: string };
export function refuse(problem: string): Refused {
  return { ok: false, problem };
}
