import type { Means } from "./means.ts";

/** Whether cash is rounded down, as the owner has set it. */
export type CashRounding = "down" | "none";

/** ₦50 in kobo: cash is rounded down to a multiple of it. */
const CASH_STEP = 5000;

/** The sum to take in cash for `kobo`, rounded down to ₦50. Less than ₦50 is not rounded. */
export function roundedDown(kobo: number): number {
  return kobo < CASH_STEP ? kobo : kobo - (kobo % CASH_STEP);
}

/** The sum to take for an order that costs `kobo`. Only cash is rounded. */
export function sumToTake(kobo: number, means: Means, rounding: CashRounding): number {
  return means === "cash" && rounding === "down" ? roundedDown(kobo) : kobo;
}
