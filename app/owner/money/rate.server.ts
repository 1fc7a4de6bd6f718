import { sql } from "kysely";
import { lockRates, rateInForce, storeRate } from "#app/catalog/rates.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { FALLBACK_RATE, isPlausible, parseRate, type Rate, rateText } from "#app/money/exchange-rate.ts";
import { type Keyset, pageOf } from "../keyset.server.ts";
import { SHOP_ZONE } from "../shop-time.server.ts";
import { type Stale, stale } from "../stale.ts";

/** An exchange rate: from when on it applied, the service or person that set it, and the rate before. */
export type RateRow = { id: string; rate: Rate; at: Date; source: string; setBy: string | null; before?: Rate };

/**
 * `doubt`: the rate looks like a typing error and needs a confirmation. `theirs`: the newer rate that was set after
 * `seen`.
 */
export type RateSet = { ok: true; id: string } | { ok: false; doubt: string } | Stale<{ theirs: RateRow }>;

/**
 * Sets the exchange rate for all later charges, and ends a hold. `seen` is the newest rate that the caller has seen.
 */
export async function setRate(
  on: Db,
  by: Actor,
  rate: Rate,
  { agreed = false, seen }: { agreed?: boolean; seen?: string } = {},
): Promise<RateSet> {
  return retryingTransaction(on, async (trx): Promise<RateSet> => {
    await lockRates(trx);
    const last = await rateInForce(trx);
    const [newest] = (await rateHistory(trx, {}, 1)).rows;
    if (seen !== undefined && newest && newest.id !== seen) return stale({ theirs: newest });
    if (!agreed && !isPlausible(rate, last.rate)) return { ok: false, doubt: doubtOf(last.rate, rate) };
    await storeRate(trx, rate, "owner", by.name);
    const before = last.stored ? { rate: rateText(last.rate) } : undefined;
    const subject = { kind: "rate", id: "USD-NGN" };
    await recordChange(trx, { by, action: "rate set", subject, before, after: { rate: rateText(rate) } });
    const [set] = (await rateHistory(trx, {}, 1)).rows;
    return { ok: true, id: set?.id ?? "" };
  });
}

function doubtOf(now: Rate, wanted: Rate): string {
  return `1 USD = ${rateText(now)} NGN -> ${rateText(wanted)} NGN, more than 25 % from the last one`;
}

/** A page of the exchange rates that were in force, newest first. */
export async function rateHistory(on: Db | Transaction, keyset: Keyset = {}, size?: number) {
  const found = on
    .selectFrom("exchangeRates as page")
    .select(["id", "rate", "fetchedAt as at", "source", "setBy"])
    .select(
      sql<string | null>`(
        select rate from exchange_rates earlier where in_force and earlier.id < page.id order by id desc limit 1)`.as(
        "before",
      ),
    )
    .where("inForce", "=", true);
  const { rows, ...ends } = await pageOf(found, { id: "bigint" }, keyset, { size });
  const rates = rows.map(
    ({ rate, before, place: _, ...row }): RateRow => ({
      ...row,
      rate: parseRate(rate) ?? FALLBACK_RATE,
      before: before === null ? undefined : parseRate(before),
    }),
  );
  return { rows: rates, ...ends };
}

/**
 * The last rate of each day from `since` on, in the shop's time zone, oldest first. The first entry is the rate that
 * was in force at `since`.
 */
export async function rateByDay(on: Db, since: Date): Promise<{ at: Date; rate: number }[]> {
  const { rows } = await sql<{ at: Date; rate: string }>`
    select * from (
      select distinct on (day) fetched_at as at, rate
      from (select *, (fetched_at at time zone ${SHOP_ZONE})::date as day from exchange_rates
        where in_force and fetched_at >= ${since}) as set
      order by day, id desc
    ) as days
    union all (select ${since}, rate from exchange_rates where in_force and fetched_at < ${since} order by id desc limit 1)
    order by at`.execute(on);
  return rows.map(({ at, rate }) => ({ at, rate: Number(rate) }));
}
