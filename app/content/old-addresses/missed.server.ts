import { sql } from "kysely";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";

/** The most addresses that are kept: in each process until they are written, and in the database. */
export const MOST_MISSED = 1000;
const KEPT_DAYS = 90;
const MOST_TIMES = 1_000_000_000;
/** An email address, or what shops name by an order's number or a secret code. */
const PERSONAL = /@|\/(?:orders?|checkouts?|view-order)\//;

/** The number of requests for each path without a page since the last writing. */
let asked = new Map<string, number>();

/**
 * Counts a request for a path without a page, as `comparedPath` gives it. Beyond `MOST_MISSED` different ones, new ones
 * are not counted until the next writing. A path that may name a person or an order is never counted.
 */
export function countMissed(path: string, times = 1): void {
  const before = asked.get(path);
  if (before === undefined && (asked.size >= MOST_MISSED || PERSONAL.test(path))) return;
  asked.set(path, (before ?? 0) + times);
}

/**
 * Adds the counts of this process to those in the database, which keeps the `MOST_MISSED` that are asked for most, and
 * of equal ones the latest.
 */
export async function writeMissed(on: Db): Promise<void> {
  const counts = asked;
  if (counts.size === 0) return;
  asked = new Map();
  try {
    await retryingTransaction(on, async (trx) => {
      await sql`lock table missed_addresses in share row exclusive mode`.execute(trx);
      await sql`
        insert into missed_addresses (path, times)
        select path, least(times, ${MOST_TIMES})
        from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::bigint[]) as counted (path, times)
        on conflict (path) do update
        set times = least(missed_addresses.times::bigint + excluded.times, ${MOST_TIMES}),
          last_at = excluded.last_at`.execute(trx);
      await sql`
        delete from missed_addresses where path in (
          select path from missed_addresses order by times desc, last_at desc, path offset ${MOST_MISSED}
        )`.execute(trx);
    });
  } catch (error) {
    for (const [path, times] of counts) countMissed(path, times);
    throw error;
  }
}

/** Deletes counts that are older than they may be kept. Run by the worker. */
export async function deleteOldMissed(on: Db): Promise<void> {
  await sql`delete from missed_addresses where first_at < now() - make_interval(days => ${KEPT_DAYS - 1})`.execute(on);
}
