import { BadInput } from "#app/infra/bad-input.ts";
import { formatUsd } from "#app/money/format.ts";
import { centsFromDollars, type UsdCents, usdCents } from "#app/money/money.ts";
import { LEAST_ORDER } from "#app/offers/price.ts";
import type { CartLine } from "#app/orders/quote.server.ts";
import { isSamePiece, type Units } from "#app/orders/units.ts";
import type { OrderLine } from "#db/types.ts";

/** A price that staff agree on with a customer, for each piece of a size. */
export type AgreedPrice = Pick<Units, "productId" | "size"> & { cents: UsdCents };

/** Reads an agreed price written as ID:SIZE=DOLLARS. Undefined if the text has another shape. */
export function readAgreed(text: string): AgreedPrice | undefined {
  const [, productId, size, dollars = ""] = /^([^:=]+):([^:=]+)=(.+)$/.exec(text) ?? [];
  const cents = centsFromDollars(dollars);
  return productId && size && cents !== undefined ? { productId, size, cents } : undefined;
}

/**
 * The lines with their agreed prices. Throws a BadInput if a price is of no line, isn't below the price in force, or is
 * below a tenth of it, or if all pieces together cost less than an order may.
 */
export function atAgreedPrices(lines: readonly CartLine[], agreed: readonly AgreedPrice[]): CartLine[] {
  const stray = agreed.find((one) => !lines.some((line) => isSamePiece(one, line)));
  if (stray) throw new BadInput(`There's no ${stray.productId} in size ${stray.size} in this order to agree on`);
  const priced = lines.map((line) => {
    const own = agreed.find((one) => isSamePiece(one, line));
    return own ? atAgreed(line, own.cents) : line;
  });
  const total = priced.reduce((sum, { priceCents, quantity }) => sum + priceCents * quantity, 0);
  if (agreed.length > 0 && total < LEAST_ORDER)
    throw new BadInput(`The items of an order cost at least ${formatUsd(usdCents(LEAST_ORDER))} together`);
  return priced;
}

function atAgreed(line: CartLine, cents: UsdCents): CartLine {
  const { title, size, priceCents } = line;
  const least = Math.ceil(priceCents / 10);
  if (cents >= priceCents)
    throw new BadInput(`${title} ${size} costs ${formatUsd(usdCents(priceCents))}: agree on less`);
  if (cents < least)
    throw new BadInput(`${title} ${size}: agree on ${formatUsd(usdCents(least))} or more, a tenth of its price`);
  return { ...line, fullCents: priceCents, priceCents: cents, isAgreed: true };
}

/**
 * The agreed prices of an order with their reason, such as "agreed price: Home Jersey M for $35.00 instead of $49.99;
 * Radio winner". Empty without any.
 */
export function agreedText(lines: readonly OrderLine[], reason = ""): string {
  const prices = lines
    .filter(({ isAgreed }) => isAgreed)
    .map(({ title, size, priceCents, fullCents = priceCents }) => {
      const [now, before] = [priceCents, fullCents].map((cents) => formatUsd(usdCents(cents)));
      return `${title} ${size} for ${now} instead of ${before}`;
    })
    .join(", ");
  return prices && `agreed price: ${prices}; ${reason}`;
}
