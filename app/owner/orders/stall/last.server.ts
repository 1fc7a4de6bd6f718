import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";

/** The stall of the newest sale at one. Undefined if there was none. */
export async function lastStall(on: Db): Promise<string | undefined> {
  const last = await on
    .selectFrom("staffOrders")
    .innerJoin("orders", "orders.id", "orderId")
    .select(sql<string>`shipping ->> 'pickupCenter'`.as("stall"))
    .where(sql<boolean>`shipping ? 'handedOver'`)
    .orderBy("madeAt", "desc")
    .limit(1)
    .executeTakeFirst();
  return last?.stall;
}
