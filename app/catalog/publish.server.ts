import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";

/** Shows the products whose time has come. Safe to repeat: a job does it at each of these times, and every minute. */
export async function publishDue(on: Db): Promise<void> {
  const isDue = sql<boolean>`publish_at <= now()`;
  const due = await on.selectFrom("products").select("id").where(isDue).executeTakeFirst();
  if (!due) return; // an update of nothing, too, would have all kept pages made anew
  await on.updateTable("products").set({ hidden: false, updatedAt: sql`now()` }).where(isDue).execute();
}
