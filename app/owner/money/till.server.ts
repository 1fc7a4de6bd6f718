import { sql } from "kysely";
import type { Means } from "#app/by-hand/means.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { type Stale, stale } from "../stale.ts";

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
  return { expected: await expectedNow(on), counts };
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

/** Cash takings that no count covers yet. */
const uncountedTakings = (on: Db | Transaction) =>
  on
    .selectFrom("handTakings")
    .innerJoin("payments", "payments.reference", "handTakings.reference")
    .where("provider", "=", CASH)
    .where("countId", "is", null);

/** Cash refunds that no count covers yet. */
const uncountedRefunds = (on: Db | Transaction) =>
  on
    .selectFrom("handRefunds")
    .innerJoin("payments", "payments.reference", "handRefunds.reference")
    .where("provider", "=", CASH)
    .where("givenAt", "is not", null)
    .where("countId", "is", null);

/** The expected cash, in kobo. One statement, so that a simultaneous count is included as a whole or not at all. */
async function expectedNow(on: Db | Transaction): Promise<number> {
  const { last, taken, back } = await on
    .selectNoFrom([
      on.selectFrom("tillCounts").select("countedKobo").orderBy("id", "desc").limit(1).as("last"),
      uncountedTakings(on)
        .select(({ fn }) => fn.sum("handTakings.kobo").as("kobo"))
        .as("taken"),
      uncountedRefunds(on)
        .select(({ fn }) => fn.sum("handRefunds.kobo").as("kobo"))
        .as("back"),
    ])
    .executeTakeFirstOrThrow();
  return Number(last ?? 0) + Number(taken ?? 0) - Number(back ?? 0);
}

/** Records a count of the cash, in kobo. It covers all cash taken or given back that no earlier count covers. */
export function countTill(on: Db, by: Actor, counted: number): Promise<TillCount> {
  return retryingTransaction(on, async (trx) => writeCount(trx, by, counted, await toBeCounted(trx)));
}

/** Stale if cash was moved or counted meanwhile. `expected`: the cash that should be in the till now, in kobo. */
export type TillCounted = { ok: true; count: TillCount } | Stale<{ expected: number }>;

/** Like `countTill`, but stale if the expected cash differs from `seen`, the sum in kobo that the member was shown. */
export function countTillAsSeen(on: Db, by: Actor, counted: number, seen: number): Promise<TillCounted> {
  return retryingTransaction(on, async (trx): Promise<TillCounted> => {
    const till = await toBeCounted(trx);
    if (till.expected !== seen) return stale({ expected: till.expected });
    return { ok: true, count: await writeCount(trx, by, counted, till) };
  });
}

type ToBeCounted = { expected: number; takings: string[]; refunds: string[] };

/** The expected cash, in kobo, and the rows that the next count covers. Another count waits for this transaction. */
async function toBeCounted(trx: Transaction): Promise<ToBeCounted> {
  // One count after the other. The shop's role may not lock this table: it may only add rows to it.
  await sql`select pg_advisory_xact_lock(7103307)`.execute(trx);
  const [last] = await newestCounts(trx);
  const takings = await uncountedTakings(trx).select(["handTakings.reference", "handTakings.kobo"]).execute();
  const refunds = await uncountedRefunds(trx).select(["handRefunds.id", "handRefunds.kobo"]).execute();
  const sum = (rows: { kobo: string }[]) => rows.reduce((all, { kobo }) => all + Number(kobo), 0);
  return {
    expected: (last?.counted ?? 0) + sum(takings) - sum(refunds),
    takings: takings.map(({ reference }) => reference),
    refunds: refunds.map(({ id }) => id),
  };
}

async function writeCount(trx: Transaction, by: Actor, counted: number, till: ToBeCounted): Promise<TillCount> {
  const { expected, takings, refunds } = till;
  const { id, countedAt } = await trx
    .insertInto("tillCounts")
    .values({ expectedKobo: expected, countedKobo: counted, countedBy: by.name })
    .returning(["id", "countedAt"])
    .executeTakeFirstOrThrow();
  // Only the rows that were summed. The next count covers cash that is taken meanwhile.
  const set = { countId: id };
  await trx.updateTable("handTakings").set(set).where("reference", "=", sql<string>`any(${takings})`).execute();
  await trx.updateTable("handRefunds").set(set).where("id", "=", sql<string>`any(${refunds}::uuid[])`).execute();
  const subject = { kind: "till", id };
  await recordChange(trx, { by, action: "takings count", subject, before: { expected }, after: { counted } });
  return { id, expected, counted, by: by.name, at: countedAt };
}

/** What a count says of the cash: "as it should be", "₦500 too little" or "₦500 too much". */
export function verdictOn({ expected, counted }: Pick<TillCount, "expected" | "counted">): string {
  const off = counted - expected;
  if (off === 0) return "as it should be";
  return `${formatKobo(kobo(Math.abs(off)))} too ${off < 0 ? "little" : "much"}`;
}
