import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { membersOf } from "#app/offers/offers.server.ts";
import { priceDraft, type Terms } from "#app/offers/terms.ts";
import type { OrderLine, ProductKind } from "#db/types.ts";

/**
 * The effect that an offer would have had on the sold orders of the last 30 days. Sums are in cents, without delivery.
 */
export type OfferPreview = {
  /** The examined orders and the sum of their goods. `isAll`: whether these are all orders of the 30 days. */
  orders: number;
  soldCents: number;
  isAll: boolean;
  /** The orders to which the offer would have applied, the sum of their goods, and the sum of the discounts. */
  counted: number;
  countedCents: number;
  givenCents: number;
};

const MOST_LOOKED = 5000;

/**
 * Prices the orders of the last 30 days again with this offer alone, from the prices before the offers of that time.
 * All conditions about the shopper except the country count as met, because the old orders cannot tell. Kinds and
 * collections have their products of today.
 */
export async function previewOffer(on: Db, terms: Terms): Promise<OfferPreview> {
  const { rows } = await sql<{
    lines: OrderLine[];
    rate: string;
    country: string;
    kinds: Record<string, ProductKind[]>;
  }>`
    with newest as (
      select o.lines, o.rate::text as rate, o.shipping ->> 'country' as country
      from sales s join orders o on o.id = s.order_id
      where s.created_at > now() - interval '30 days' and not o.trial order by s.created_at desc limit ${MOST_LOOKED + 1}
    )
    select lines, rate, country, (
      select coalesce(jsonb_object_agg(id, to_jsonb(kinds)), '{}') from products
      where id in (select line ->> 'productId' from jsonb_array_elements(lines) line)
    ) as kinds from newest`.execute(on);
  const products = new Set(rows.flatMap(({ lines }) => lines.map(({ productId }) => productId)));
  const members = await membersOf(on, terms.collections, [...products]);
  const result = {
    orders: 0,
    soldCents: 0,
    isAll: rows.length <= MOST_LOOKED,
    counted: 0,
    countedCents: 0,
    givenCents: 0,
  };
  for (const { lines, rate, country, kinds } of rows.slice(0, MOST_LOOKED)) {
    const full = lines.map((line) => ({
      ...line,
      priceCents: line.fullCents ?? line.priceCents,
      kinds: kinds[line.productId] ?? [],
    }));
    const sum = full.reduce((cents, line) => cents + line.priceCents * line.quantity, 0);
    const { savedCents, freeDelivery } = priceDraft(full, terms, members, parseRate(rate) ?? FALLBACK_RATE, country);
    result.orders++;
    result.soldCents += sum;
    if (savedCents === 0 && !freeDelivery) continue;
    result.counted++;
    result.countedCents += sum;
    result.givenCents += savedCents;
  }
  return result;
}
