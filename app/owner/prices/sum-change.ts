import { plainText } from "#app/infra/text/typed-text.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { koboFromNaira } from "#app/money/money.ts";
import { readDecimal } from "#app/money/typed-number.ts";

/** The steps in naira to which changed sums can be rounded. 0: only to whole cents, in which sums are stored. */
export const NAIRA_STEPS = [0, 50, 100, 500, 1000] as const;
export type NairaStep = (typeof NAIRA_STEPS)[number];

/** How much sums rise, or fall if it is negative: in hundredths of a percent, or in kobo. At least one of both is 0. */
export type SumChange = { percent: number; kobo: number };

/** Reads "+10%", "-7.5%", or a sum in naira such as "+500" or "-₦1,250". Undefined for anything else. */
export function readSumChange(text: string): SumChange | undefined {
  const [, sign, amount = "", unit] = /^([+-]?)(.*?)(%?)$/.exec(plainText(text)) ?? [];
  const size = unit ? Math.round(Number(readDecimal(amount)) * 100) : koboFromNaira(amount);
  if (size === undefined || !Number.isSafeInteger(size)) return;
  const signed = sign === "-" ? -size : size;
  return unit ? { percent: signed, kobo: 0 } : { percent: 0, kobo: signed };
}

/** A kobo in the unit of cents times an exchange rate. */
const KOBO = 1_000_000n;
/** The whole of a sum in hundredths of a percent. */
const WHOLE = 10_000n;

/**
 * A sum in cents after the change, rounded half up to a multiple of `step` naira, and that to a whole cent. Negative if
 * the change takes off more than the sum. What is free stays free.
 */
export function changedCents(cents: number, { percent, kobo }: SumChange, step: NairaStep, rate: Rate): number {
  if (cents === 0) return 0;
  const exact = BigInt(cents) * rate * (WHOLE + BigInt(percent)) + BigInt(kobo) * KOBO * WHOLE;
  if (exact < 0n) return -1;
  if (step === 0) return Number(halfUp(exact, rate * WHOLE));
  const unit = BigInt(step) * 100n * KOBO;
  return Number(halfUp(halfUp(exact, unit * WHOLE) * unit, rate));
}

const halfUp = (above: bigint, below: bigint) => (above + below / 2n) / below;
