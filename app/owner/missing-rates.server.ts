import { endOfHold, rateInForce } from "#app/catalog/rates.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { hasShippingRates } from "#app/shipping/rates.server.ts";
import type { Fault } from "./faults/fault.ts";

const SETTINGS = { rule: "I20", where: "settings" };

/** An exchange rate older than this is outdated, unless the owner or a service has confirmed it. */
const RATE_HOLDS = 7 * DAY;

/** Faults of a shop that takes real money but lacks a rate, and so would sell too cheaply or not at all. */
export async function rateFaults(on: Db | Transaction): Promise<Fault[]> {
  const exchange = await exchangeRateFault(on);
  return [...(await deliveryFaults(on)), ...(exchange ? [exchange] : [])];
}

async function deliveryFaults(on: Db | Transaction): Promise<Fault[]> {
  if (await hasShippingRates(on)) return [];
  const what = "there is no delivery rate, and no order can be paid for";
  return [{ ...SETTINGS, what, todo: "npm run shop -- shipping import FILE.json" }];
}

/**
 * Why the current exchange rate should not be used for charges. Undefined if it may be. Setting the same rate again
 * confirms it.
 */
export async function exchangeRateFault(on: Db | Transaction): Promise<Fault | undefined> {
  const { rate, at, stored } = await rateInForce(on);
  const age = Date.now() - Math.max(at.getTime(), (await endOfHold(on))?.getTime() ?? 0);
  if (stored && age < RATE_HOLDS) return;
  const counts = `$1 counts as ₦${Number(rateText(rate))}`;
  const what = stored
    ? `the exchange rate hasn’t been set or confirmed for ${Math.floor(age / DAY)} days, and no service has given one: ${counts}`
    : `there is no exchange rate, and ${counts}: cards are charged at this fallback`;
  const set = `npm run shop -- rate set ${stored ? `${Number(rateText(rate))} (the same one confirms it)` : "1534.25"}`;
  const todo = `${set}, or ${env.RATES_URL ? "see in the log why the service at RATES_URL gives none" : "set RATES_URL"}`;
  return { ...SETTINGS, what, todo };
}

/**
 * The faults of `rateFaults` as warnings for the start. The exchange rate is left out if a service is about to provide
 * it.
 */
export async function missingRates(on: Db | Transaction): Promise<string[]> {
  const faults = env.RATES_URL ? await deliveryFaults(on) : await rateFaults(on);
  return faults.map(({ what, todo }) => `${what}: ${todo}`);
}
