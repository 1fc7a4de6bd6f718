import { sql } from "kysely";
import type { Db } from "#app/infra/db.server.ts";
import { SHOP_ZONE } from "./shop-time.server.ts";

export type SalesDay = {
  day: string;
  orders: number;
  pieces: number;
  kobo: number;
  cents: number;
  refundedKobo: number;
};

/** What was sold between two moments, a row for each day of the shop's time zone; a refund counts on the day on which it was decided. */
export async function salesReport(on: Db, from: Date, until: Date): Promise<SalesDay[]> {
  const { rows } = await sql<Record<keyof SalesDay, string>>`
    with sold as (
      select created_at as at, 1 as orders, kobo, total_cents as cents, 0 as refunded_kobo,
        (select sum(quantity) from sale_lines where sale_id = sales.id) as pieces
      from sales
    ), refunded as (
      select refunds.created_at as at, 0 as orders, 0 as kobo, 0 as cents, refunds.kobo as refunded_kobo, 0 as pieces
      from refunds join sales using (reference) where refunds.state in ('open', 'sent', 'done')
    )
    select to_char(at at time zone ${SHOP_ZONE}, 'YYYY-MM-DD') as day, sum(orders) as orders, sum(pieces) as pieces,
      sum(kobo) as kobo, sum(cents) as cents, sum(refunded_kobo) as refunded_kobo
    from (select at, orders, pieces, kobo, cents, refunded_kobo from sold
      union all select at, orders, pieces, kobo, cents, refunded_kobo from refunded) as moves
    where at >= ${from} and at < ${until}
    group by 1 order by 1`.execute(on);
  return rows.map(({ day, orders, pieces, kobo, cents, refundedKobo }) => ({
    day,
    orders: Number(orders),
    pieces: Number(pieces),
    kobo: Number(kobo),
    cents: Number(cents),
    refundedKobo: Number(refundedKobo),
  }));
}
