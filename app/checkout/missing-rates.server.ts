import { rateInForce } from "#app/catalog/rates.server.ts";
import type { Db, Transaction } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { FALLBACK_RATE, rateText } from "#app/money/exchange-rate.ts";
import { hasShippingRates } from "./shipping-rates.server.ts";

/** Without what a shop that takes real money would sell for too little, or not at all; a line each. */
export async function missingRates(on: Db | Transaction): Promise<string[]> {
  const missing: string[] = [];
  if (!(await hasShippingRates(on)))
    missing.push("there is no delivery rate, and no order can be paid for: npm run shop -- shipping import FILE.json");
  if (!env.RATES_URL && !(await rateInForce(on)).stored)
    missing.push(
      `there is no exchange rate, and $1 counts as ₦${Number(rateText(FALLBACK_RATE))}: npm run shop -- rate set 1534.25, or set RATES_URL`,
    );
  return missing;
}
