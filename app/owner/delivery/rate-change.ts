import { plainText } from "#app/infra/text/typed-text.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { koboFromNaira } from "#app/money/money.ts";
import { readDecimal } from "#app/money/typed-number.ts";
import type { RateKind } from "./rates.ts";

/** The steps in naira to which changed rates can be rounded. 0: only to whole cents, in which rates are stored. */
export const STEPS = [0, 50, 100, 500] as const;

/** How much rates rise, or fall if it is negative: in hundredths of a percent, or in kobo. One of the two is 0. */
export type RateChange = { percent: number; kobo: number };

/** A rate before and after a change, in cents. `name` as in `DeliveryPlace`. */
export type ChangedRate = { kind: RateKind; name: string; was: number; now: number };

/** Reads "+10%", "-7.5%", or a sum in naira such as "+500" or "-₦1,250". Undefined for anything else. */
export function readRateChange(text: string): RateChange | undefined {
  const [, sign, amount = "", unit] = /^([+-]?)(.*?)(%?)$/.exec(plainText(text)) ?? [];
  const size = unit ? Math.round(Number(readDecimal(amount)) * 100) : koboFromNaira(amount);
  if (size === undefined || !Number.isSafeInteger(size)) return;
  const signed = sign === "-" ? -size : size;
  return unit ? { percent: signed, kobo: 0 } : { percent: 0, kobo: signed };
}

/** A kobo in the unit of cents times a rate. */
const KOBO = 1_000_000n;
/** The whole of a rate in hundredths of a percent. */
const WHOLE = 10_000n;

/**
 * A rate after the change, rounded half up to a multiple of `step` naira, and that to a whole cent. Negative if the
 * change takes off more than the rate. Free delivery stays free.
 */
export function changedCents(cents: number, { percent, kobo }: RateChange, step: number, rate: Rate): number {
  if (cents === 0) return 0;
  const exact = BigInt(cents) * rate * (WHOLE + BigInt(percent)) + BigInt(kobo) * KOBO * WHOLE;
  if (exact < 0n) return -1;
  if (step === 0) return Number(halfUp(exact, rate * WHOLE));
  const unit = BigInt(step) * 100n * KOBO;
  return Number(halfUp(halfUp(exact, unit * WHOLE) * unit, rate));
}

const halfUp = (above: bigint, below: bigint) => (above + below / 2n) / below;
