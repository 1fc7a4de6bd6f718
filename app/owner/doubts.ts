import { formatUsd } from "#app/money/format.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";

// Values that are allowed but look like typing errors, so that they must be confirmed.

const DEAR = usdCents(2000_00);
const FACTOR = 10;
const MANY = 20;
const GROWTH = 100;

export function doubtOfPrice(id: string, before: UsdCents | undefined, after: UsdCents): string[] {
  if (before === after) return [];
  const change = before === undefined ? formatUsd(after) : `${formatUsd(before)} -> ${formatUsd(after)}`;
  if (after > DEAR) return [`${id}: price ${change}, more than ${formatUsd(DEAR)}`];
  if (before === undefined) return [];
  if (after >= before * FACTOR) return [`${id}: price ${change}, ${FACTOR} times more or beyond`];
  return after * FACTOR <= before ? [`${id}: price ${change}, a ${FACTOR}th or less`] : [];
}

const CHEAP = usdCents(1_00);

/**
 * Why a single typed price looks like a typing error. Undefined if it does not. Files with many prices have wider
 * limits.
 */
export function doubtOfTypedPrice(before: UsdCents | undefined, after: UsdCents): string | undefined {
  if (before === after) return;
  if (after < CHEAP) return `${formatUsd(after)} is less than a dollar.`;
  if (after > DEAR) return `${formatUsd(after)} is more than ${formatUsd(DEAR)}.`;
  if (before === undefined || Math.abs(after - before) * 4 <= before) return;
  const percent = Math.round((Math.abs(after - before) / before) * 100);
  return `${formatUsd(after)} is ${percent}% ${after > before ? "more" : "less"} than the last price, ${formatUsd(before)}.`;
}

/**
 * A change is doubtful if more than half of a large stock goes, or if the stock grows tenfold and by at least 100. Any
 * number may replace a stock of 0.
 */
export function doubtOfStock(what: string, before: number, after: number): string[] {
  if (before >= MANY && after * 2 < before)
    return [`${what}: ${before} -> ${after} in stock, which removes more than half`];
  if (before > 0 && after >= before * FACTOR && after - before >= GROWTH)
    return [`${what}: ${before} -> ${after} in stock, ${FACTOR} times as many or more`];
  return [];
}
