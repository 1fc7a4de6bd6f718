import { dollarsOfKobo, type Rate, readRate } from "#app/money/exchange-rate.ts";
import { centsFromDollars, koboFromNaira, type UsdCents } from "#app/money/money.ts";

/** The currency of the prices in a file that does not name it. `rate`: how many naira became one dollar. */
export type FileCurrency = { currency: "USD" } | { currency: "NGN"; rate: Rate };

/** A smaller rate is dollars for one naira, typed by mistake. */
const LEAST = 1_000_000n; // millionths

/** The currency as it was typed, or what is wrong with it by field. */
export function readCurrency(
  currency: string | undefined,
  rate: string | undefined,
): FileCurrency | { problems: { currency?: string; rate?: string } } {
  if (currency === "USD") return { currency };
  if (currency !== "NGN") return { problems: { currency: "Choose dollars (USD) or naira (NGN)" } };
  const read = readRate(rate ?? "");
  return read && read >= LEAST
    ? { currency, rate: read }
    : { problems: { rate: "Give the naira for one dollar, like 1534.25" } };
}

/** A price in cents; naira are rounded half up to a whole cent. Undefined for what is no price in this currency. */
export function centsIn(text: string, money: FileCurrency): UsdCents | undefined {
  if (money.currency === "USD") return centsFromDollars(text);
  const kobo = koboFromNaira(text);
  return kobo === undefined ? undefined : dollarsOfKobo(kobo, money.rate);
}
