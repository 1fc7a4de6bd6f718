import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { FALLBACK_RATE, rateText } from "#app/money/exchange-rate.ts";
import { hasShippingRates } from "#app/shipping/rates.server.ts";
import type { Fault } from "./faults/fault.ts";

/** Missing rates without which a shop that takes real money would sell for too little, or not at all. */
export async function rateFaults(on: Db | Transaction): Promise<Fault[]> {
  const missing: Fault[] = [];
  const fault = { rule: "I20", where: "settings" };
  if (!(await hasShippingRates(on)))
    missing.push({
      ...fault,
      what: "there is no delivery rate, and no order can be paid for",
      todo: "npm run shop -- shipping import FILE.json",
    });
  if (!env.RATES_URL && !(await rateInForce(on)).stored)
    missing.push({
      ...fault,
      what: `there is no exchange rate, and $1 counts as ₦${Number(rateText(FALLBACK_RATE))}: cards are charged at this fallback`,
      todo: "npm run shop -- rate set 1534.25, or set RATES_URL",
    });
  return missing;
}

/** The same, one warning line each for the start. */
export async function missingRates(on: Db | Transaction): Promise<string[]> {
  return (await rateFaults(on)).map(({ what, todo }) => `${what}: ${todo}`);
}
