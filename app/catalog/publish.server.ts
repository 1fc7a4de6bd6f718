import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";

/** Shows the products whose time has come. Safe to repeat: a job does it at each of these times, and every minute. */
export async function publishDue(on: Db): Promise<void> {
  await on
    .updateTable("products")
    .set({ hidden: false, updatedAt: sql`now()` })
    .where("publishAt", "<=", sql<Date>`now()`)
    .execute();
}
