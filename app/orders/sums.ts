import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { addCents, type Kobo, timesCents, type UsdCents, usdCents } from "#app/money/money.ts";

/** What an order costs: whole cents, and the kobo that the card is charged. */
export type Sums = { subtotalCents: UsdCents; shippingCents: UsdCents; totalCents: UsdCents; kobo: Kobo };

/** The same in SQL, of an order and of its sale. */
export const SUM_COLUMNS = "subtotal_cents, shipping_cents, total_cents";

type Pieces = readonly { priceCents: number; quantity: number }[];

export function subtotalOf(lines: Pieces): UsdCents {
  return addCents(...lines.map((line) => timesCents(usdCents(line.priceCents), line.quantity)));
}

export function orderSums(lines: Pieces, shippingCents: UsdCents, rate: Rate): Sums {
  const subtotalCents = subtotalOf(lines);
  const totalCents = addCents(subtotalCents, shippingCents);
  return { subtotalCents, shippingCents, totalCents, kobo: chargeInKobo(totalCents, rate) };
}
