import { approximateNaira, dollarsOfKobo, type Rate } from "#app/money/exchange-rate.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import { readDecimal, readSum } from "#app/money/typed-number.ts";

/**
 * How normal prices change: by tenths of a percent and by a sum in cents, either of which may be negative. Then each is
 * set to the cents whose naira are nearest to a multiple of `roundTo` naira, if that is not 0.
 */
export type PriceChange = { tenths: number; cents: number; roundTo: number };

/** The multiples of naira to which prices can be rounded; 0 is none. */
export const NAIRA_STEPS = [0, 100, 500, 1000] as const;

/** A normal price after a change: at least a cent. Halves of a cent are rounded up. */
export function changedPrice(price: UsdCents, { tenths, cents, roundTo }: PriceChange, rate: Rate): UsdCents {
  const exact = usdCents(Math.max(1, Math.floor((price * (1000 + tenths) + 500) / 1000) + cents));
  return roundTo === 0 ? exact : nearRoundNaira(exact, roundTo, rate);
}

function nearRoundNaira(price: UsdCents, roundTo: number, rate: Rate): UsdCents {
  const multiple = Math.max(1, Math.round(approximateNaira(price, rate) / roundTo));
  return usdCents(Math.max(1, dollarsOfKobo(multiple * roundTo * 100, rate)));
}

/**
 * Reads "+10%", "-5", "7.5" as a percentage and "-2.50", "$3" as a sum in dollars. `problems` are keyed by the field
 * they belong to.
 */
export function readPriceChange(typed: { percent: string; sum: string }): {
  change: Omit<PriceChange, "roundTo">;
  problems: Record<string, string>;
} {
  const problems: Record<string, string> = {};
  const [percentSign, percent] = signed(typed.percent.replace(/%\s*$/, ""));
  const [sumSign, sum] = signed(typed.sum);
  const tenths = percent === "" ? 0 : Number(readDecimal(percent, 1) ?? Number.NaN) * 10;
  const cents = sum === "" ? 0 : Math.round(Number(readSum(sum, "USD") ?? Number.NaN) * 100);
  if (!(tenths <= 9000)) problems.percent = "A percentage like +10 or -7.5";
  else if (percentSign < 0 && tenths > 900) problems.percent = "At most 90% less";
  if (!(cents <= 100_000)) problems.sum = "A sum in dollars like +2 or -1.50";
  return { change: { tenths: percentSign * Math.round(tenths), cents: sumSign * cents }, problems };
}

/** The sign and the rest of a typed number. Keyboards and spreadsheets write different minus signs. */
function signed(text: string): [1 | -1, string] {
  const [, sign = "", rest = ""] = /^\s*([+\-−–]?)\s*(.*?)\s*$/.exec(text) ?? [];
  return [sign === "" || sign === "+" ? 1 : -1, rest];
}
