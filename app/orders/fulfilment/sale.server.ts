import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { asksForCode } from "../handover/ways.server.ts";
import { lockOrder, type Order } from "../lifecycle.server.ts";
import { type FulfilmentTimes, type Stage, stageOf } from "./progress.ts";

export const NOW = sql<Date>`now()`;

/** A sale with its order. `asksForCode`: whether its way of delivery asks for a code at the handover now. */
export type LockedSale = FulfilmentTimes & {
  id: string;
  reference: string;
  order: Order;
  stage: Stage;
  isPickUp: boolean;
  asksForCode: boolean;
  carrier: string | null;
  tracking: string | null;
  createdAt: Date;
};

/** Locks a sale's cart, payment and order. Undefined if there is no sale with this reference. */
export async function lockSale(trx: Transaction, reference: string): Promise<LockedSale | undefined> {
  const known = await trx.selectFrom("sales").select("id").where("reference", "=", reference).executeTakeFirst();
  if (!known) return;
  const { order } = await lockOrder(trx, reference);
  const row = await trx
    .selectFrom("sales")
    .select(["id", "reference", "carrier", "tracking", "createdAt"])
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt"])
    .select(asksForCode(order).as("asksForCode"))
    .where("id", "=", known.id)
    .executeTakeFirstOrThrow();
  return { ...row, order, stage: stageOf(row), isPickUp: order.shipping.pickupCenter !== "" };
}

/** Marks a sale that waits to be handed over (`isToHandOver`) as delivered or picked up at this time. */
export async function deliver(
  trx: Transaction,
  { id, fulfilledAt }: Pick<LockedSale, "id" | "fulfilledAt">,
  at: Date | typeof NOW,
): Promise<void> {
  await trx
    .updateTable("sales")
    .set({ deliveredAt: at, fulfilledAt: fulfilledAt ?? at })
    .where("id", "=", id)
    .execute();
}
