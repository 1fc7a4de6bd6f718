import type { UpdateObject } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { type LockedReturn, lockReturn } from "#app/orders/returns/rows.server.ts";
import { acceptsReturnEvent, type ReturnEvent } from "#app/orders/returns/state.ts";
import type { Database } from "#db/types.ts";
import type { Done } from "../orders.server.ts";
import { actsOnReturn } from "./acts.server.ts";

/**
 * Who decides. `seen`: the last act of staff on it that they knew of, by its place in the audit log. When others have done more since, nothing is changed, and
 * the answer says what; when it was the same by the same person, as by a second press, that is answered.
 */
export type Deciding = { by: Actor; seen?: string };

type Changed = { ok: true; what: string; after?: object } | Extract<Done, { ok: false }>;
type Changing = Deciding & {
  action: string;
  /** Why what was done by the same act is not what is asked for now. */
  otherThan?: (trx: Transaction, found: LockedReturn) => Promise<Refused | undefined>;
};

/** Changes a return under its lock, once for each act that was seen, and writes down who did it. */
export async function changeReturn(
  on: Db | Transaction,
  number: string,
  { by, seen, action, otherThan }: Changing,
  change: (trx: Transaction, found: LockedReturn) => Promise<Changed>,
): Promise<Done> {
  return retryingTransaction(on, async (trx): Promise<Done> => {
    const found = await lockReturn(trx, number);
    if (!found) return refuse(`There is no return ${number}`);
    const since = seen === undefined ? [] : await actsOnReturn(trx, number, seen);
    const [first, ...others] = since;
    if (first?.action === action && first.actor === by.name && others.length === 0)
      return (await otherThan?.(trx, found)) ?? { ok: true, what: first.done ?? "done", isRepeat: true };
    if (since.length > 0) return { ok: false, problem: "Somebody else has changed this return meanwhile", since };
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

export const GIVEN_BACK = "The order's money has been given back";

/** Why a return does not accept this now; undefined where it does. */
export function refusal({ state, sendBack }: LockedReturn, event: ReturnEvent, waive = false): Refused | undefined {
  if (!acceptsReturnEvent(state, event)) {
    if (state === "asked") return refuse("It has not been approved: say 'returns approve'");
    return refuse(`It is ${state} already`);
  }
  if (event === "end" && state === "approved" && sendBack && !waive)
    return refuse("Its pieces have not come back: say 'returns receive', or --keep where they need not");
  return;
}

/** Why its pieces cannot be in stock again. */
export function noRestock({ state }: LockedReturn, restock = false): Refused | undefined {
  return restock && state !== "received"
    ? refuse("Its pieces have not come back, and cannot be in stock again")
    : undefined;
}

/** How its row ends, whatever it ends with. */
export function ended(
  { sendBack }: LockedReturn,
  { waive = false }: { waive?: boolean },
): UpdateObject<Database, "returns"> {
  return { endedAt: new Date(), sendBack: sendBack && !waive };
}

export type Refused = { ok: false; problem: string };
/** Nothing is done, and why. */
export function refuse(problem: string): Refused {
  return { ok: false, problem };
}
