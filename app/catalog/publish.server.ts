import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";

/**
 * Makes products visible whose publication time has come. Safe to repeat: a job runs it at each of these times, and
 * every minute.
 */
export async function publishDue(on: Db): Promise<void> {
  const isDue = sql<boolean>`publish_at <= now()`;
  const due = await on.selectFrom("products").select("id").where(isDue).executeTakeFirst();
  if (!due) return; // even an update of no rows would invalidate all cached pages
  await on.updateTable("products").set({ hidden: false, updatedAt: sql`now()` }).where(isDue).execute();
}
