import { sql } from "kysely";
import type { Means } from "#app/by-hand/means.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";

/** A count of the cash in the till. Sums in kobo. */
export type TillCount = { id: string; expected: number; counted: number; by: string; at: Date };

/** The cash that should be in the till now, in kobo, and the newest counts, the newest first. */
export type Till = { expected: number; counts: TillCount[] };

const COUNTS_SHOWN = 10;
const CASH: Means = "cash";

/** The till as it is now. Undefined if no order was ever paid in cash. */
export async function readTill(on: Db | Transaction): Promise<Till | undefined> {
  const counts = await newestCounts(on);
  const isUsed = on.selectFrom("payments").select("reference").where("provider", "=", CASH).limit(1);
  if (counts.length === 0 && !(await isUsed.executeTakeFirst())) return;
  return { expected: (counts[0]?.counted ?? 0) + (await uncounted(on)).kobo, counts };
}

async function newestCounts(on: Db | Transaction): Promise<TillCount[]> {
  const rows = await on.selectFrom("tillCounts").selectAll().orderBy("id", "desc").limit(COUNTS_SHOWN).execute();
  return rows.map(({ id, expectedKobo, countedKobo, countedBy, countedAt }) => ({
    id,
    expected: Number(expectedKobo),
    counted: Number(countedKobo),
    by: countedBy,
    at: countedAt,
  }));
}

/** The cash that no count covers yet: what was taken without what was given back, in kobo, and its rows. */
async function uncounted(on: Db | Transaction): Promise<{ kobo: number; takings: string[]; refunds: string[] }> {
  const takings = await on
    .selectFrom("handTakings")
    .innerJoin("payments", "payments.reference", "handTakings.reference")
    .select(["handTakings.reference", "handTakings.kobo"])
    .where("provider", "=", CASH)
    .where("countId", "is", null)
    .execute();
  const refunds = await on
    .selectFrom("handRefunds")
    .innerJoin("payments", "payments.reference", "handRefunds.reference")
    .select(["handRefunds.id", "handRefunds.kobo"])
    .where("provider", "=", CASH)
    .where("givenAt", "is not", null)
    .where("countId", "is", null)
    .execute();
  const sum = (rows: { kobo: string }[]) => rows.reduce((all, { kobo }) => all + Number(kobo), 0);
  return {
    kobo: sum(takings) - sum(refunds),
    takings: takings.map(({ reference }) => reference),
    refunds: refunds.map(({ id }) => id),
  };
}

/** `meanwhile`: what should be in the till now, since cash has moved or somebody has counted. Nothing was saved. */
export type TillCounted = { ok: true; count: TillCount } | { ok: false; meanwhile: number };

/**
 * Writes down how much cash was counted, in kobo. What was taken and given back before is covered by this count, once.
 * `seen`: what should have been in the till when it was counted; if something else should be there now, nothing is
 * saved.
 */
export function countTill(
  on: Db,
  by: Actor,
  { counted, seen }: { counted: number; seen?: number },
): Promise<TillCounted> {
  return retryingTransaction(on, async (trx): Promise<TillCounted> => {
    // One count after the other. The shop's role may not lock this table: it may only add rows to it.
    await sql`select pg_advisory_xact_lock(7103307)`.execute(trx);
    const [last] = await newestCounts(trx);
    const { kobo, takings, refunds } = await uncounted(trx);
    const expected = (last?.counted ?? 0) + kobo;
    if (seen !== undefined && seen !== expected) return { ok: false, meanwhile: expected };
    const added = await trx
      .insertInto("tillCounts")
      .values({ expectedKobo: expected, countedKobo: counted, countedBy: by.name })
      .returning(["id", "countedAt"])
      .executeTakeFirstOrThrow();
    // The rows that were summed, and no cash that is taken meanwhile: the next count covers that.
    const set = { countId: added.id };
    await trx.updateTable("handTakings").set(set).where("reference", "=", sql<string>`any(${takings})`).execute();
    await trx.updateTable("handRefunds").set(set).where("id", "=", sql<string>`any(${refunds}::uuid[])`).execute();
    const subject = { kind: "till", id: added.id };
    await recordChange(trx, { by, action: "takings count", subject, before: { expected }, after: { counted } });
    return { ok: true, count: { id: added.id, expected, counted, by: by.name, at: added.countedAt } };
  });
}

/** What was counted beside what should have been there: 0, too little (below 0) or too much. */
export const difference = ({ expected, counted }: Pick<TillCount, "expected" | "counted">): number =>
  counted - expected;
