import { sql } from "kysely";
import { lockRates, rateInForce, storeRate } from "#app/catalog/rates.server.ts";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { FALLBACK_RATE, parseRate, type Rate, rateText } from "#app/money/exchange-rate.ts";
import { IS_REAL_SALE } from "#app/orders/state.ts";
import { endOfDay, shopDayOf, shopTime } from "../shop-time.server.ts";

/** A rate is held for at most so many days. */
export const MOST_DAYS_HELD = 30;

/** The last day, like 2026-12-24, of the longest hold that begins then. */
export const lastDayHeld = (since = new Date()) => shopDayOf(new Date(since.getTime() + MOST_DAYS_HELD * DAY));

/** A rate that is held now. `id` is that of the rate. */
export type RateHold = {
  id: string;
  rate: Rate;
  since: Date;
  until: Date;
  by: string | null;
  /** The newest rate that the service has given meanwhile. */
  market?: Rate;
  /** In kobo: how much more the orders since then would have brought at the service's rates of their time. */
  costKobo: number;
};

/** The rate that is held now; undefined if none is. */
export async function currentHold(on: Db | Transaction): Promise<RateHold | undefined> {
  const { rows } = await sql<{
    id: string;
    rate: string;
    since: Date;
    until: Date;
    by: string | null;
    market: string | null;
    costKobo: string;
  }>`
    with held as (
      select * from (select * from exchange_rates where in_force order by id desc limit 1) as newest
      where held_until > clock_timestamp()
    )
    select id, rate, fetched_at as since, held_until as until, set_by as by,
      (select rate from exchange_rates as given where not in_force and given.id > held.id order by id desc limit 1) as market,
      (select coalesce(sum(round(kobo * (given.rate - held.rate) / held.rate)), 0)
        from (
          select rate, fetched_at as since, coalesce(lead(fetched_at) over (order by id), 'infinity') as before
          from exchange_rates where not in_force and id > held.id
        ) as given
        join sales on sales.created_at >= given.since and sales.created_at < given.before
        where sales.rate = held.rate and ${sql.raw(IS_REAL_SALE)}) as cost_kobo
    from held`.execute(on);
  const [row] = rows;
  if (!row) return;
  const { rate, market, costKobo, ...rest } = row;
  return {
    ...rest,
    rate: parseRate(rate) ?? FALLBACK_RATE,
    ...(market !== null && { market: parseRate(market) }),
    costKobo: Number(costKobo),
  };
}

/** `problem`: why the rate can't be held until then; nothing was changed. */
export type RateHeld = { ok: true; hold: RateHold } | { ok: false; problem: string };

/**
 * Holds the rate in force until a time: what the service gives until then does not come into force. A rate that is held
 * already is held until this time instead. Safe to repeat.
 */
export function holdRate(on: Db, by: Actor, until: Date): Promise<RateHeld> {
  return retryingTransaction(on, async (trx): Promise<RateHeld> => {
    await lockRates(trx);
    const before = await currentHold(trx);
    if (before?.until.getTime() === until.getTime()) return { ok: true, hold: before };
    const problem = untilProblem(until, before?.since);
    if (problem) return { ok: false, problem };
    const { rate } = await rateInForce(trx);
    if (before) await trx.updateTable("exchangeRates").set({ heldUntil: until }).where("id", "=", before.id).execute();
    else await storeRate(trx, rate, "owner", by.name, until);
    const was = before && { until: before.until };
    await recordChange(trx, { by, action: "rate hold", subject, before: was, after: { rate: rateText(rate), until } });
    return { ok: true, hold: (await currentHold(trx)) as RateHold };
  });
}

function untilProblem(until: Date, since?: Date): string | undefined {
  if (until <= new Date()) return `${shopTime(until)} has passed`;
  const latest = endOfDay(lastDayHeld(since));
  if (latest && until > latest) return `At most ${MOST_DAYS_HELD} days: until ${shopTime(latest)}`;
}

const subject = { kind: "rate", id: "USD-NGN" };

/**
 * Ends the hold: the newest rate that the service has given comes into force, and without one the held rate stays until
 * another is set. Returns false if no rate is held.
 */
export function releaseRate(on: Db, by: Actor): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    await lockRates(trx);
    const held = await currentHold(trx);
    if (!held) return false;
    await trx
      .updateTable("exchangeRates")
      .set({ heldUntil: sql<Date>`clock_timestamp()` })
      .where("id", "=", held.id)
      .execute();
    await sql`
      insert into exchange_rates (rate, source)
      select rate, source from exchange_rates where not in_force and id > ${held.id} order by id desc limit 1`.execute(
      trx,
    );
    const { rate } = await rateInForce(trx);
    const before = { rate: rateText(held.rate), until: held.until };
    await recordChange(trx, { by, action: "rate release", subject, before, after: { rate: rateText(rate) } });
    return true;
  });
}
