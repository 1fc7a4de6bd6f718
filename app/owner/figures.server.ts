import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import type { Gauge } from "#app/infra/metrics.server.ts";
import { IS_UNFINISHED } from "#app/orders/refund-rows.server.ts";
import { IS_LIVE } from "#app/orders/state.ts";

/** The shop's state: what a person should look at comes from the tables themselves. */
export async function shopFigures(on: Db): Promise<Gauge[]> {
  const { rows } = await sql<Gauge>`
    select 'irepo_payments_watched' as name, 'Payments still asked about at the provider' as help, count(*)::int as value from payments where next_check_at is not null
    union all select 'irepo_reservations_live', 'Orders that hold stock', count(*)::int from orders where ${sql.raw(IS_LIVE)} and holds_stock
    union all select 'irepo_breaks_open', 'Money that a person must look at', count(*)::int from payment_issues where resolved_at is null
    union all select 'irepo_refunds_open', 'Refunds not finished yet', count(*)::int from refunds where ${sql.raw(IS_UNFINISHED)}
    union all select 'irepo_mails_queued', 'Mails not sent yet', count(*)::int from outbox where state = 'queued'
    union all select 'irepo_mails_failed', 'Mails to mailboxes that do not exist', count(*)::int from outbox where state = 'failed'
    union all select 'irepo_rate_age_seconds', 'Age of the exchange rate in force', coalesce(extract(epoch from now() - max(fetched_at)), -1)::int from exchange_rates
  `.execute(on);
  return rows;
}
