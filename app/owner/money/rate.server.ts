import { sql } from "kysely";
import { rateInForce, storeRate } from "#app/catalog/rates.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { FALLBACK_RATE, isPlausible, parseRate, type Rate, rateText } from "#app/money/exchange-rate.ts";
import { SHOP_ZONE } from "../shop-time.server.ts";

/** One that was in force: from when on, who set it or where it was asked, and the one before it. */
export type RateRow = { id: string; rate: Rate; at: Date; source: string; setBy: string | null; before?: Rate };

/** `doubt`: it looks like a typing error, and is done once confirmed. `meanwhile`: another one has come into force since `seen`. */
export type RateSet = { ok: true; id: string } | { ok: false; doubt: string } | { ok: false; meanwhile: RateRow };

/** Sets the rate by hand, for everything that is charged from now on. `seen`: the newest one that was known. */
export async function setRate(
  on: Db,
  by: Actor,
  rate: Rate,
  { agreed = false, seen }: { agreed?: boolean; seen?: string } = {},
): Promise<RateSet> {
  return retryingTransaction(on, async (trx): Promise<RateSet> => {
    await sql`select pg_advisory_xact_lock(7103304)`.execute(trx); // two at once see each other
    const last = await rateInForce(trx);
    const [newest] = await newestRates(trx, 1);
    if (seen !== undefined && newest && newest.id !== seen) return { ok: false, meanwhile: newest };
    if (!agreed && !isPlausible(rate, last.rate)) return { ok: false, doubt: doubtOf(last.rate, rate) };
    await storeRate(trx, rate, "owner", by.name);
    const before = last.stored ? { rate: rateText(last.rate) } : undefined;
    const subject = { kind: "rate", id: "USD-NGN" };
    await recordChange(trx, { by, action: "rate set", subject, before, after: { rate: rateText(rate) } });
    const [set] = await newestRates(trx, 1);
    return { ok: true, id: set?.id ?? "" };
  });
}

function doubtOf(now: Rate, wanted: Rate): string {
  return `1 USD = ${rateText(now)} NGN -> ${rateText(wanted)} NGN, more than 25 % from the last one`;
}

const PAGE = 50;

/** The rates that were in force, the newest first, in pages. */
export async function rateHistory(on: Db, place: { before?: string; after?: string } = {}) {
  const isBackwards = place.after !== undefined && place.before === undefined;
  const found = await newestRates(on, PAGE + 1, place);
  const rows = isBackwards ? found.slice(-PAGE) : found.slice(0, PAGE);
  const isMore = found.length > PAGE;
  return {
    rows,
    newer: place.before || (isBackwards && isMore) ? rows[0]?.id : undefined,
    older: isBackwards || isMore ? rows.at(-1)?.id : undefined,
  };
}

async function newestRates(
  on: Db | Transaction,
  limit: number,
  { before, after }: { before?: string; after?: string } = {},
) {
  const { rows } = await sql<Omit<RateRow, "rate" | "before"> & { rate: string; before: string | null }>`
    select id, rate, fetched_at as at, source, set_by,
      (select rate from exchange_rates earlier where earlier.id < page.id order by id desc limit 1) as before
    from (
      select * from exchange_rates
      where ${before ? sql`id < ${before}` : after ? sql`id > ${after}` : sql`true`}
      order by id ${sql.raw(after && !before ? "asc" : "desc")} limit ${limit}
    ) as page
    order by id desc`.execute(on);
  return rows.map(({ rate, before, ...row }) => ({
    ...row,
    rate: parseRate(rate) ?? FALLBACK_RATE,
    before: before === null ? undefined : parseRate(before),
  }));
}

/** The last rate of each day of the shop's time zone since then, the oldest first; the first one was in force before. */
export async function rateByDay(on: Db, since: Date): Promise<{ at: Date; rate: number }[]> {
  const { rows } = await sql<{ at: Date; rate: string }>`
    select * from (
      select distinct on (day) fetched_at as at, rate
      from (select *, (fetched_at at time zone ${SHOP_ZONE})::date as day from exchange_rates where fetched_at >= ${since}) as set
      order by day, id desc
    ) as days
    union all (select ${since}, rate from exchange_rates where fetched_at < ${since} order by id desc limit 1)
    order by at`.execute(on);
  return rows.map(({ at, rate }) => ({ at, rate: Number(rate) }));
}
