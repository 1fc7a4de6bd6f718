import { formatUsd } from "#app/money/format.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";

// What is allowed, but looks like a slip of the keyboard: whoever wants it is asked once more.

const DEAR = usdCents(2000_00);
const FACTOR = 10;
const MANY = 20;

export function doubtOfPrice(id: string, before: UsdCents | undefined, after: UsdCents): string[] {
  if (before === after) return [];
  const change = before === undefined ? formatUsd(after) : `${formatUsd(before)} -> ${formatUsd(after)}`;
  if (after > DEAR) return [`${id}: price ${change}, more than ${formatUsd(DEAR)}`];
  if (before === undefined) return [];
  if (after >= before * FACTOR) return [`${id}: price ${change}, ${FACTOR} times more or beyond`];
  return after * FACTOR <= before ? [`${id}: price ${change}, a ${FACTOR}th or less`] : [];
}

/** More than half of a big number goes. */
export function doubtOfStock(what: string, before: number, after: number): string[] {
  return before >= MANY && after * 2 < before ? [`${what}: ${before} -> ${after} in stock, more than half goes`] : [];
}
