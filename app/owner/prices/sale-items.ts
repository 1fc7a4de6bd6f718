import { centsFromDollars } from "#app/money/money.ts";
import { readWhole } from "#app/money/typed-number.ts";

/** A sale price of a product, or how many percent less than its normal price. */
export type SaleItem = { id: string; priceCents?: number; percent?: number };
/** Without `startsAt` it begins now. `endsAt` is the first moment at which it is over; without it there is no end. */
export type SaleTerms = { startsAt?: Date; endsAt?: Date; finalSale: boolean };

/**
 * What a product will cost when the sale begins. Without `oldCents` no old price is shown, since it cost no more in the
 * 30 days before; `oldFrom` is then the first moment at which a sale could begin with one, if that is known.
 */
export type SaleRow = {
  id: string;
  title: string;
  color: string;
  hidden: boolean;
  normalCents: number;
  priceCents: number;
  oldCents: number | null;
  oldFrom: Date | null;
};
type Terms = Omit<SaleItem, "id">;
type Read = { items: SaleItem[]; terms: Terms; problems: Record<string, string> };

/** An id or the address of a product's page, and the price behind it, if there is one. */
const LINE = /^(?:https?:\S*\/)?([A-Za-z0-9][\w-]{0,99})(?:[\s,;]+([^\s,;].*))?$/;

/**
 * Reads a pasted list of products, one a line, and the percentage or price for those without a price of their own.
 * `problems` are keyed by the field they belong to.
 */
export function readSaleItems(list: string, { percent, price }: { percent: string; price: string }): Read {
  const problems: Record<string, string> = {};
  const terms: Terms = {};
  const lines = list
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const items: SaleItem[] = [];
  for (const line of lines) {
    const [, id, own] = LINE.exec(line) ?? [];
    const cents = own === undefined ? undefined : centsFromDollars(own);
    if (!id || (own !== undefined && !cents))
      problems.list ??= `“${line.slice(0, 80)}” is no product’s id with a price, like rings-tee 41.99`;
    else items.push(cents ? { id, priceCents: cents } : { id });
  }
  const needsTerms = items.length === 0 || items.some(({ priceCents }) => priceCents === undefined);
  const off = readWhole(percent);
  const cents = centsFromDollars(price);
  if (percent && (off === undefined || off < 1 || off > 99)) problems.percent = "A whole number from 1 to 99";
  else if (price && !cents) problems.price = "A price in dollars, like 41.99";
  else if (percent && price) problems.price = "A percentage or a price, not both";
  else if (percent) terms.percent = off;
  else if (price) terms.priceCents = cents;
  else if (needsTerms) problems.percent = "Say how much: a percentage or a price";
  return { items: items.map((item) => ("priceCents" in item ? item : { ...item, ...terms })), terms, problems };
}
