import { endSessions, endStreams } from "#app/account/session/store.server.ts";
import { type Deleted, deleteCustomer } from "#app/customer-data/delete-customer.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { type Note, writeNote } from "../notes.server.ts";
import type { Done } from "../orders/orders.server.ts";

/**
 * Deletes an account with all data that identifies its owner, unless an order is open or unsent. kept-after-deletion.ts
 * lists what stays.
 */
export function forgetCustomer(on: Db, by: Actor, id: string): Promise<Deleted> {
  return retryingTransaction(on, async (trx) => {
    const deleted = await deleteCustomer(trx, id);
    const subject = { kind: "customer", id };
    if (deleted.ok) await recordChange(trx, { by, action: "customers delete", subject });
    return deleted;
  });
}

/** Ends one of a customer's sessions, for example after a phone was lost. */
export async function endCustomerSession(on: Db, by: Actor, id: string, session: string): Promise<Done> {
  const done = await retryingTransaction(on, async (trx): Promise<Done> => {
    const known = await trx
      .selectFrom("sessions")
      .select("id")
      .where("id", "=", session)
      .where("userId", "=", id)
      .execute();
    if (known.length === 0) return { ok: false, problem: "That session has already ended" };
    await endSessions(trx, id, { id: session });
    await recordChange(trx, { by, action: "customers end-session", subject: { kind: "customer", id } });
    return { ok: true, what: "signed out there" };
  });
  if (done.ok) await endStreams(on, id);
  return done;
}

/** Adds a note to a customer. */
export function addCustomerNote(on: Db, by: Actor, id: string, note: Note): Promise<Done> {
  return retryingTransaction(on, async (trx): Promise<Done> => {
    const known = await trx.selectFrom("users").select("id").where("id", "=", id).forKeyShare().executeTakeFirst();
    if (!known) return { ok: false, problem: "There’s no such customer" };
    return writeNote(trx, by, { kind: "customer", id, name: id }, note);
  });
}
