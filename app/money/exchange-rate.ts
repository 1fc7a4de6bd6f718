import { type Kobo, kobo, type Naira, type UsdCents, usdCents } from "./money.ts";

/** Naira for one dollar, exact: millionths in a whole number. PostgreSQL's numeric(14,6) holds the same. */
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

/** "1534.25", without trailing zeros. */
export function rateText(rate: Rate): string {
  const fraction = String(rate % MILLION)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${rate / MILLION}${fraction && `.${fraction}`}`;
}

/** What a price is in naira, for showing: rounded half up to a whole naira. */
export function approximateNaira(amount: UsdCents, rate: Rate): Naira {
  const unit = 100n * MILLION;
  return Number((BigInt(amount) * rate + unit / 2n) / unit) as Naira;
}

/** What a sum in kobo is in dollars, for showing: rounded half up to a whole cent. */
export function dollarsOfKobo(sum: number, rate: Rate): UsdCents {
  return usdCents(Number((BigInt(sum) * MILLION + rate / 2n) / rate));
}

/** What is charged for a total: rounded UP to a whole naira, in kobo. */
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
