import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";

/** A running or planned sale. Prices and percentages are the lowest and highest of its products. */
export type ListedSale = {
  planId: string;
  products: number;
  titles: string[];
  percents: [number, number] | null;
  prices: [number, number] | null;
  startsAt: Date;
  endsAt: Date | null;
  finalSale: boolean;
  runs: boolean;
};

const MOST = 100;

/** The running and planned sales, of all products or of one. The sale that ends next is first. */
export async function listSales(on: Db, productId?: string): Promise<ListedSale[]> {
  const { rows } = await sql<ListedSale>`
    select plan_id, count(*)::int as products, (array_agg(title order by position, products.id))[1:3] as titles,
      case when min(percent) is not null then array[min(percent), max(percent)] end as percents,
      case when min(s.price_cents) is not null then array[min(s.price_cents), max(s.price_cents)] end as prices,
      min(starts_at) as starts_at, max(ends_at) as ends_at, bool_or(s.final_sale) as final_sale,
      bool_or(starts_at <= now()) as runs
    from sale_prices s join products on products.id = s.product_id
    where (ends_at is null or ends_at > now()) and (${productId ?? null}::text is null or product_id = ${productId ?? null})
    group by plan_id order by max(ends_at), min(starts_at), plan_id limit ${MOST}`.execute(on);
  return rows;
}
