import type { Actor } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { type Note, writeNote } from "../notes.server.ts";
import { lockKnownOrder } from "./lookup.server.ts";
import type { Done } from "./orders.server.ts";

/** Adds a note to an order. */
export function addNote(on: Db, by: Actor, reference: string, note: Note): Promise<Done> {
  return retryingTransaction(on, async (trx): Promise<Done> => {
    const known = await lockKnownOrder(trx, reference);
    if (!known) return { ok: false, problem: `There’s no order with the reference '${reference}'` };
    return writeNote(trx, by, { kind: "order", id: known.order.id, name: reference }, note);
  });
}
