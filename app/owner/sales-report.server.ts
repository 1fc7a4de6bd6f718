import { sql } from "kysely";
import { ROUNDED_OF_SALE } from "#app/by-hand/book.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { IS_REAL_SALE } from "#app/orders/state.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import { SHOP_ZONE } from "./shop-time.server.ts";

export type SalesDay = {
  day: string;
  orders: number;
  pieces: number;
  kobo: number;
  cents: number;
  /** The part of `kobo` that was for shipping. */
  shippingKobo: number;
  shippingCents: number;
  /** The provider's fees, as far as reported. The provider does not return them with a refund. */
  feesKobo: number;
  refundedKobo: number;
  /** Converted at the exchange rate of each order. */
  refundedCents: number;
  /** By how much cash was rounded down. It is not in `kobo`: together they are the orders' sums. */
  roundedKobo: number;
};

const SUMS = [
  "orders",
  "pieces",
  "kobo",
  "cents",
  "shippingKobo",
  "shippingCents",
  "feesKobo",
  "refundedKobo",
  "refundedCents",
  "roundedKobo",
] as const;

/** The sum of the days as one row. */
export function totalOf(days: SalesDay[]): SalesDay {
  const sums = SUMS.map((name) => [name, days.reduce((all, day) => all + day[name], 0)]);
  return { day: "total", ...(Object.fromEntries(sums) as Omit<SalesDay, "day">) };
}

/**
 * The sales between two times, one row per day in the shop's time zone. A refund counts on the day on which it was
 * recorded.
 */
export async function salesReport(on: Db, from: Date, until: Date): Promise<SalesDay[]> {
  const { rows } = await sql<Record<keyof SalesDay, string>>`
    with sold as (
      select created_at as at, 1 as orders, kobo, total_cents as cents, 0 as refunded_kobo, 0 as refunded_cents,
        least(kobo, floor(shipping_cents * rate)) as shipping_kobo, shipping_cents, coalesce(fees_kobo, 0) as fees_kobo,
        (select sum(quantity) from sale_lines where sale_id = sales.id) as pieces, ${sql.raw(ROUNDED_OF_SALE)} as rounded_kobo
      from sales where ${sql.raw(IS_REAL_SALE)}
    ), refunded as (
      select refunds.created_at as at, 0 as orders, 0 as kobo, 0 as cents, refunds.kobo as refunded_kobo,
        round(refunds.kobo / sales.rate) as refunded_cents, 0 as shipping_kobo, 0 as shipping_cents, 0 as fees_kobo, 0 as pieces, 0 as rounded_kobo
      from refunds join sales using (reference) where refunds.state in ('open', 'sent', 'done') and ${sql.raw(IS_REAL_SALE)}
    )
    select to_char(at at time zone ${SHOP_ZONE}, 'YYYY-MM-DD') as day, sum(orders) as orders, sum(pieces) as pieces,
      sum(kobo) as kobo, sum(cents) as cents, sum(shipping_kobo) as shipping_kobo, sum(shipping_cents) as shipping_cents, sum(fees_kobo) as fees_kobo,
      sum(refunded_kobo) as refunded_kobo, sum(refunded_cents) as refunded_cents, sum(rounded_kobo) as rounded_kobo
    from (
      select at, orders, pieces, kobo, cents, shipping_kobo, shipping_cents, fees_kobo, refunded_kobo, refunded_cents, rounded_kobo from sold
      union all
      select at, orders, pieces, kobo, cents, shipping_kobo, shipping_cents, fees_kobo, refunded_kobo, refunded_cents, rounded_kobo from refunded
    ) as moves
    where at >= ${from} and at < ${until}
    group by 1 order by 1`.execute(on);
  return rows.map((row) => ({
    day: row.day,
    ...(Object.fromEntries(SUMS.map((name) => [name, Number(row[name])])) as Omit<SalesDay, "day">),
  }));
}

/** The takings and refunds of one means of payment: a provider, or money that staff take by hand. */
export type MeansTakings = { means: string; orders: number; kobo: number; refundedKobo: number };

/** The sales between two times by how they were paid, the largest sum first. Together they are those of the report. */
export async function takingsByMeans(on: Db, from: Date, until: Date): Promise<MeansTakings[]> {
  const { rows } = await sql<{ provider: string; orders: string; kobo: string; refundedKobo: string }>`
    select provider, sum(orders) as orders, sum(kobo) as kobo, sum(refunded_kobo) as refunded_kobo
    from (
      select reference, created_at as at, 1 as orders, kobo, 0 as refunded_kobo from sales where ${sql.raw(IS_REAL_SALE)}
      union all
      select reference, refunds.created_at, 0, 0, refunds.kobo
      from refunds join sales using (reference) where refunds.state in ('open', 'sent', 'done') and ${sql.raw(IS_REAL_SALE)}
    ) as moves join (select reference, provider from payments) as paid using (reference)
    where at >= ${from} and at < ${until}
    group by provider order by sum(kobo) desc, provider`.execute(on);
  return rows.map(({ provider, orders, kobo, refundedKobo }) => ({
    means: descriptionOf(provider).name,
    orders: Number(orders),
    kobo: Number(kobo),
    refundedKobo: Number(refundedKobo),
  }));
}
