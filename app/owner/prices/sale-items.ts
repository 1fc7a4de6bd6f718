import { centsFromDollars } from "#app/money/money.ts";
import { readWhole } from "#app/money/typed-number.ts";

/** A sale price of a product, as a price or as a percentage off the normal price. */
export type SaleItem = { id: string; priceCents?: number; percent?: number };
/** The sale begins at `startsAt`, by default now, and ends right before `endsAt`, by default never. */
export type SaleTerms = { startsAt?: Date; endsAt?: Date; finalSale: boolean };

/**
 * A product in a planned sale. `oldCents` is null if no old price is shown, because the product cost no more in the 30
 * days before; `oldFrom` is then the first moment at which a sale could begin with an old price, if known.
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

/** A product's id or the URL of its page, and the price after it, if any. */
const LINE = /^(?:https?:\S*\/)?([A-Za-z0-9][\w-]{0,99})(?:[\s,;]+([^\s,;].*))?$/;

/**
 * Reads a pasted list of products, one per line. `percent` or `price` applies to lines without a price. `problems` are
 * keyed by the form's fields.
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
