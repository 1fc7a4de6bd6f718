import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { PICK_UP, STANDARD } from "#app/orders/handover/ways.ts";
import { deliveryWays } from "./ways.server.ts";
import type { StoredWay } from "./ways.ts";

/** A way of delivery as `handover_ways` names it, and whether its orders are handed over by a code. */
export type HandoverWay = { way: string; name: string; isOn: boolean };

/** All ways of delivery: standard home delivery, the owner's `further` ones, and pick-up. */
export async function handoverWays(
  on: Db | Transaction,
  further: Pick<StoredWay, "id" | "name">[],
): Promise<HandoverWay[]> {
  const switchedOn = await on.selectFrom("handoverWays").select("way").execute();
  const all = [
    { way: STANDARD, name: "Standard delivery in Nigeria" },
    ...further.map(({ id, name }) => ({ way: id, name })),
    { way: PICK_UP, name: "Pick-up" },
  ];
  return all.map((one) => ({ ...one, isOn: switchedOn.some(({ way }) => way === one.way) }));
}

/**
 * Switches the code on or off for a way. Orders that were sent before, or ready for pick-up, stay as they are. Safe to
 * repeat. Throws a BadInput if there is no such way.
 */
export function switchHandover(on: Db, by: Actor, way: string, isOn: boolean): Promise<HandoverWay> {
  return retryingTransaction(on, async (trx) => {
    const known = (await handoverWays(trx, await deliveryWays(trx))).find((one) => one.way === way);
    if (!known) throw new BadInput("There’s no such way of delivery");
    const changed = isOn
      ? trx
          .insertInto("handoverWays")
          .values({ way })
          .onConflict((conflict) => conflict.doNothing())
          .returning("way")
      : trx.deleteFrom("handoverWays").where("way", "=", way).returning("way");
    if ((await changed.executeTakeFirst()) !== undefined)
      await recordChange(trx, {
        by,
        action: "delivery-ways handover",
        subject: { kind: "delivery-way", id: way },
        before: { handover: !isOn },
        after: { handover: isOn },
      });
    return { ...known, isOn };
  });
}
