import { sql } from "kysely";
import { z } from "zod";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { env } from "#app/infra/env.server.ts";
import { request } from "#app/infra/http/client.server.ts";
import { log } from "#app/infra/log.server.ts";
import { dependency } from "#app/infra/outage-log.server.ts";
import { NEWEST_RATE, shopNow } from "#app/infra/settings/shop-settings.server.ts";
import { FALLBACK_RATE, isPlausible, parseRate, type Rate, rateText } from "#app/money/exchange-rate.ts";

export type RateInForce = { rate: Rate; at: Date; stored: boolean };

/** The rate in force, as an SQL expression for other statements. */
export const rateInForceSql = sql<string>`coalesce((select rate from (${sql.raw(NEWEST_RATE)}) as newest), ${sql.lit(rateText(FALLBACK_RATE))}::numeric)`;

/** The newest stored rate, or the specification's 1600 if none is stored. */
export async function rateInForce(on: Db | Transaction): Promise<RateInForce> {
  return inForce((await shopNow(on)).newest);
}

/** The rate in force for these stored values. */
export function inForce({ rate: text, fetchedAt }: { rate: string | null; fetchedAt: Date | null }): RateInForce {
  const rate = text === null ? undefined : parseRate(text);
  if (!rate || !fetchedAt) return { rate: FALLBACK_RATE, at: new Date(), stored: false };
  return { rate, at: fetchedAt, stored: true };
}

/** `setBy` is the person who set the rate by hand, and may hold it until a time. */
export async function storeRate(
  on: Db | Transaction,
  rate: Rate,
  source: string,
  setBy?: string,
  heldUntil?: Date,
): Promise<void> {
  await on
    .insertInto("exchangeRates")
    .values({ rate: rateText(rate), source, setBy, heldUntil })
    .execute();
}

/** Nobody else sets, holds or fetches a rate before the transaction ends. */
export async function lockRates(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(7103304)`.execute(trx);
}

/** The end of the hold of the rate in force, also when it has passed. Undefined if that rate was never held. */
export async function endOfHold(on: Db | Transaction): Promise<Date | undefined> {
  const newest = on.selectFrom("exchangeRates").select("heldUntil").where("inForce", "=", true).orderBy("id", "desc");
  return (await newest.limit(1).executeTakeFirst())?.heldUntil ?? undefined;
}

/** Stores a rate if there is none yet. Returns false if there is one, which stays. */
export async function storeFirstRate(trx: Transaction, rate: Rate, source: string): Promise<boolean> {
  const known = await trx.selectFrom("exchangeRates").select("id").limit(1).executeTakeFirst();
  if (!known) await storeRate(trx, rate, source);
  return !known;
}

const service = dependency("the currency rates service");

const answer = z.object({ rates: z.object({ NGN: z.number().finite().positive() }) });

/**
 * The rates of the last day, in force or not, but none from before the owner last set or held one. A new rate is
 * compared with each of them, so that a faulty service cannot drift further by many small steps than by one.
 */
const ratesOfADay = statement(
  { takes: {}, gives: { rate: sqlType.numeric } },
  `select rate from exchange_rates where id >= greatest(
     (select max(id) from exchange_rates where set_by is not null),
     (select max(id) from exchange_rates where fetched_at < now() - interval '1 day'), 0)`,
);

/**
 * Fetches the rate from the currency rates service and stores it if it is plausible: it is in force unless the owner
 * holds another one. A failure is logged and changes nothing.
 */
export async function refreshRate(on: Db): Promise<void> {
  if (!env.RATES_URL) return;
  const reply = await request(env.RATES_URL, { timeout: 5000, maxBytes: 256 * 1024 });
  const rate = reply.reached && reply.status === 200 ? readRate(reply.text) : undefined;
  if (!rate) {
    service.failed(reply.reached ? `status ${reply.status}, no rates.NGN` : reply.reason);
    return;
  }
  service.works();
  const far = (await ratesOfADay(on)).find((last) => !isPlausible(rate, parseRate(last.rate)));
  if (far) {
    log.warn({ rate: rateText(rate), last: far.rate }, "exchange rate refused: too far from one of the last day");
    return;
  }
  const source = new URL(env.RATES_URL).host;
  await retryingTransaction(on, async (trx) => {
    await lockRates(trx);
    const inForce = ((await endOfHold(trx))?.getTime() ?? 0) <= Date.now();
    await trx
      .insertInto("exchangeRates")
      .values({ rate: rateText(rate), source, inForce })
      .execute();
  });
}

function readRate(text: string): Rate | undefined {
  try {
    const { rates } = answer.parse(JSON.parse(text));
    return parseRate(rates.NGN.toFixed(6));
  } catch {
    return; // not JSON, or another shape: the caller logs it
  }
}
