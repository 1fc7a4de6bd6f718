import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { lockKnownOrder } from "../known-order.server.ts";
import type { Done } from "../orders.server.ts";

/**
 * Writes something down about an order. `id` is the form's, a UUID: sent twice, it is one note, and another text under it is refused rather than lost. What it
 * says does not go to the audit log.
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
        return { ok: false, problem: "This form has added another note. Copy yours, and load the page anew" };
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
