import { sql } from "kysely";
import type { Db } from "./db.server.ts";

type Gauge = { name: string; help: string; value: number };

/** The shop's state in Prometheus' text format: what a person should look at comes from the tables themselves. */
export async function metrics(on: Db): Promise<string> {
  const { rows } = await sql<{ name: string; help: string; value: number }>`
    select 'irepo_payments_watched' as name, 'Payments still asked about at the provider' as help, count(*)::int as value from payments where next_check_at is not null
    union all select 'irepo_reservations_live', 'Attempts that hold stock', count(*)::int from attempts where state in ('open', 'waiting')
    union all select 'irepo_breaks_open', 'Money that a person must look at', count(*)::int from reconciliation_breaks where resolved_at is null
    union all select 'irepo_refunds_open', 'Refunds not finished yet', count(*)::int from refunds where state <> 'done'
    union all select 'irepo_mails_queued', 'Mails not sent yet', count(*)::int from outbox where state = 'queued'
    union all select 'irepo_mails_failed', 'Mails to mailboxes that do not exist', count(*)::int from outbox where state = 'failed'
    union all select 'irepo_webhooks_open', 'Stored webhooks not worked on yet', count(*)::int from webhook_inbox where done_at is null
    union all select 'irepo_rate_age_seconds', 'Age of the exchange rate in force', coalesce(extract(epoch from now() - max(fetched_at)), -1)::int from exchange_rates
  `.execute(on);
  const gauges: Gauge[] = [
    ...rows,
    { name: "process_resident_memory_bytes", help: "Memory of this process", value: process.memoryUsage.rss() },
    { name: "process_uptime_seconds", help: "Seconds since this process started", value: Math.round(process.uptime()) },
  ];
  return gauges
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join("");
}
