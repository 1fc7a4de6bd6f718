import { formatUsd } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import type { OrderLine } from "#db/types.ts";

/** Why a line's price isn't the shop's: the agreement with staff, or the names of the offers. */
export function priceNote({ isAgreed, fullCents, offerNames }: Partial<OrderLine>): string | undefined {
  if (!isAgreed || fullCents === undefined) return offerNames?.join(", ");
  return `Agreed price, usually ${formatUsd(usdCents(fullCents))}`;
}
