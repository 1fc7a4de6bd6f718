import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { addCents, type Kobo, timesCents, type UsdCents, usdCents } from "#app/money/money.ts";

/** The price of an order in cents, and its charge in kobo. */
export type Sums = { subtotalCents: UsdCents; shippingCents: UsdCents; totalCents: UsdCents; kobo: Kobo };

/** The columns of these sums in `orders` and `sales`. */
export const SUM_COLUMNS = "subtotal_cents, shipping_cents, total_cents";

/** In cents, the largest total that the columns of orders and sales can store, more than any card pays. */
export const LARGEST_TOTAL = 2 ** 31 - 1;

type Pieces = readonly { priceCents: number; quantity: number }[];

export function subtotalOf(lines: Pieces): UsdCents {
  return addCents(...lines.map((line) => timesCents(usdCents(line.priceCents), line.quantity)));
}

export function orderSums(lines: Pieces, shippingCents: UsdCents, rate: Rate): Sums {
  const subtotalCents = subtotalOf(lines);
  const totalCents = addCents(subtotalCents, shippingCents);
  return { subtotalCents, shippingCents, totalCents, kobo: chargeInKobo(totalCents, rate) };
}
