import { type Kobo, kobo, type Naira, type UsdCents, usdCents } from "./money.ts";
import { readSum } from "./typed-number.ts";

/** Naira for one dollar, exact: a whole number of millionths. PostgreSQL's numeric(14,6) holds the same values. */
export type Rate = bigint & { readonly unit: "millionths of a naira for a dollar" };

const MILLION = 1_000_000n;

/** The specification's rate when none is stored. */
export const FALLBACK_RATE = (1600n * MILLION) as Rate;

/** Reads "1534.25" exactly; undefined for anything that is no positive decimal with at most 6 places. */
export function parseRate(text: string): Rate | undefined {
  const [, whole = "", fraction = ""] = /^(\d{1,8})(?:\.(\d{1,6}?)0*)?$/.exec(text.trim()) ?? [];
  const rate = BigInt(whole) * MILLION + BigInt(fraction.padEnd(6, "0"));
  return rate > 0n ? (rate as Rate) : undefined;
}

/** Reads a rate as a person types it: "₦1,534.25". */
export function readRate(text: string): Rate | undefined {
  return parseRate(readSum(text, "NGN", 20) ?? "");
}

/** "1534.25", without trailing zeros. */
export function rateText(rate: Rate): string {
  const fraction = String(rate % MILLION)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${rate / MILLION}${fraction && `.${fraction}`}`;
}

/** A price in naira, for display only: rounded half up to a whole naira. */
export function approximateNaira(amount: UsdCents, rate: Rate): Naira {
  const unit = 100n * MILLION;
  return Number((BigInt(amount) * rate + unit / 2n) / unit) as Naira;
}

/** A sum of kobo in dollars, for display and for imported prices: rounded half up to a whole cent. */
export function dollarsOfKobo(sum: number, rate: Rate): UsdCents {
  return usdCents(Number((BigInt(sum) * MILLION + rate / 2n) / rate));
}

/** The charge for a total, in kobo: rounded UP to a whole naira. */
export function chargeInKobo(total: UsdCents, rate: Rate): Kobo {
  const unit = 100n * MILLION;
  return kobo(Number((BigInt(total) * rate + unit - 1n) / unit) * 100);
}

/** Whether a fetched rate may replace the last one: at most 25% away from it. */
export function isPlausible(rate: Rate, last: Rate | undefined): boolean {
  if (last === undefined) return true;
  const distance = rate > last ? rate - last : last - rate;
  return distance * 4n <= last;
}
