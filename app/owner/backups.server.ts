import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { shopTimeWithZone } from "#app/owner/shop-time.server.ts";
import type { Fault } from "./faults/fault.ts";

/** A nightly backup may be half a day late. */
const OLDEST = 36 * HOUR;

/**
 * The audit log's actions that prove a backup. A restored shop counts as backed up, since its data is in the backup.
 */
export const IN_A_BACKUP = ["backup", "restore"];

/** When the shop's own command last made or restored a backup. */
export async function lastBackup(on: Db | Transaction): Promise<Date | null> {
  return (await history(on)).last;
}

/**
 * The fault of a shop that has no recent backup although it takes real money. Before the first backup, the time counts
 * from the first recorded change.
 */
export async function backupFaults(on: Db | Transaction): Promise<Fault[]> {
  if (env.BACKUPS === "elsewhere") return [];
  const { last, first } = await history(on);
  const since = last ?? first;
  if (!since || Date.now() - since.getTime() < OLDEST) return [];
  return [
    {
      rule: "I24",
      where: "backups",
      what: last ? `the last one is of ${shopTimeWithZone(last)}` : "there is none",
      todo: "npm run shop -- backup DIR --keep 14, each night (docs/running.md), or set BACKUPS=elsewhere if something else makes them.",
    },
  ];
}

async function history(on: Db | Transaction) {
  return on
    .selectFrom("auditLog")
    .select((eb) => [
      eb.fn.max("at").filterWhere("action", "in", IN_A_BACKUP).as("last"),
      sql<Date | null>`min(at)`.as("first"),
    ])
    .executeTakeFirstOrThrow();
}
