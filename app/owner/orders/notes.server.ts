import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { lockKnownOrder } from "./lookup.server.ts";
import type { Done } from "./orders.server.ts";

/**
 * Adds a note to an order. `id`, a UUID from the form, makes a request that is sent twice add one note; another text
 * with the same id is refused. The text is not copied to the audit log.
 */
export function addNote(
  on: Db,
  by: Actor,
  reference: string,
  { id, text }: { id: string; text: string },
): Promise<Done> {
  return retryingTransaction(on, async (trx): Promise<Done> => {
    const known = await lockKnownOrder(trx, reference);
    if (!known) return { ok: false, problem: `There is no order with the reference '${reference}'` };
    const added = await trx
      .insertInto("orderNotes")
      .values({ id, orderId: known.order.id, author: by.name, text })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (!added) {
      const there = await trx.selectFrom("orderNotes").select("text").where("id", "=", id).executeTakeFirst();
      if (there?.text !== text)
        return { ok: false, problem: "This form has already added another note. Copy yours, and reload the page" };
      return { ok: true, what: "noted", isRepeat: true };
    }
    await recordChange(trx, {
      by,
      action: "orders note",
      subject: { kind: "order", id: reference },
      after: { note: id },
    });
    return { ok: true, what: "noted" };
  });
}
