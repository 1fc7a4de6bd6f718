import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { inSeconds, MINUTE, SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { IS_LOST } from "#app/infra/mail.server.ts";
import type { Figure } from "#app/infra/metrics/door.server.ts";
import { IS_UNFINISHED } from "#app/orders/refund-rows.server.ts";
import { IS_LIVE } from "#app/orders/state.ts";
import { IS_BY_HAND } from "#app/payments/provider.server.ts";
import { IN_A_BACKUP } from "./backups.server.ts";
import { checkInvariants } from "./invariants.server.ts";

/** How long figures are cached, because counting reads whole tables. */
const READ_EVERY = 15 * SECOND;
const CHECK_EVERY = 10 * MINUTE;

const HELP = {
  irepo_orders: "Orders by state",
  irepo_reservations_live: "Orders that hold stock",
  irepo_payments: "Payments by state",
  irepo_payments_watched: "Payments still asked about at the provider",
  irepo_payment_oldest_unsettled_seconds: "Age of the oldest payment that is still asked about",
  irepo_payment_check_overdue_seconds: "How long the next look at a payment is overdue",
  irepo_payment_issues_open: "Money that a person must look at, by kind",
  irepo_refunds: "Refunds by state",
  irepo_refund_oldest_unfinished_seconds:
    "Age of the oldest refund that has not ended, without those that wait for staff to give them by hand",
  irepo_returns: "Returns and exchanges by state",
  irepo_jobs: "Jobs that wait, run or have failed, by queue and state",
  irepo_mails: "Mails by state",
  irepo_mails_given_up: "Mails that could not be sent for two days and are tried no more",
  irepo_mail_oldest_queued_seconds: "Age of the oldest mail that has not gone out",
  irepo_rate_age_seconds: "Age of the exchange rate in force; infinite without one",
  irepo_backup_age_seconds:
    "Age of the last backup by this shop's command; infinite without one, absent where something else makes them",
  irepo_check_faults: "What did not agree between stock, orders, payments and mails at the last check, by rule",
  irepo_check_age_seconds: "Age of that check; infinite before the first one",
};
type Name = keyof typeof HELP;
type Row = { name: Name; labels: Record<string, string>; value: number };

const ageSql = (of: string) => sql.raw(`coalesce(extract(epoch from now() - min(${of})), 0)::float8`);
const ageOrNeverSql = (of: string) => sql.raw(`coalesce(extract(epoch from now() - max(${of})), 'Infinity')::float8`);
const labelsSql = (column: string) => sql.raw(`jsonb_build_object('${column}', ${column})`);

async function readRows(on: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select 'irepo_orders' as name, ${labelsSql("state")} as labels, count(*)::float8 as value from orders where not trial group by state
    union all select 'irepo_reservations_live', '{}', count(*) from orders where ${sql.raw(IS_LIVE)} and holds_stock
    union all select 'irepo_payments', ${labelsSql("state")}, count(*) from payments
      where order_id not in (select id from orders where trial) group by state
    union all select 'irepo_payments_watched', '{}', count(*) from payments where next_check_at is not null
    union all select 'irepo_payment_oldest_unsettled_seconds', '{}', ${ageSql("created_at")} from payments where next_check_at is not null
    union all select 'irepo_payment_check_overdue_seconds', '{}', greatest(${ageSql("next_check_at")}, 0) from payments where next_check_at is not null
    union all select 'irepo_payment_issues_open', ${labelsSql("kind")}, count(*) from payment_issues where resolved_at is null group by kind
    union all select 'irepo_refunds', ${labelsSql("state")}, count(*) from refunds group by state
    union all select 'irepo_refund_oldest_unfinished_seconds', '{}', ${ageSql("created_at")} from refunds where ${sql.raw(IS_UNFINISHED)}
      and not (state = 'sent' and exists (select from payments where payments.reference = refunds.reference and ${IS_BY_HAND}))
    union all select 'irepo_returns', ${labelsSql("state")}, count(*) from returns group by state
    union all select 'irepo_jobs', jsonb_build_object('queue', name, 'state', state), count(*) from jobs.job
      where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%' group by name, state
    union all select 'irepo_mails', ${labelsSql("state")}, count(*) from outbox group by state
    union all select 'irepo_mails_given_up', '{}', count(*) from outbox where ${IS_LOST}
    union all select 'irepo_mail_oldest_queued_seconds', '{}', ${ageSql("created_at")} from outbox where state = 'queued'
    union all select 'irepo_rate_age_seconds', '{}', ${ageOrNeverSql("greatest(fetched_at, least(coalesce(held_until, fetched_at), now()))")}
      from (select * from exchange_rates where in_force order by id desc limit 1) as newest
    union all select 'irepo_backup_age_seconds', '{}', ${ageOrNeverSql("at")} from audit_log where action = any(${IN_A_BACKUP})
      having ${env.BACKUPS === "here"}::boolean
  `.execute(on);
  return rows;
}

/**
 * The metrics of the shop, read from its tables. Calls within 15 s share one result. Throws if the database is
 * unavailable.
 */
export function shopFigures(on: () => Db): () => Promise<Figure[]> {
  const rows = remembered(READ_EVERY, () => readRows(on()));
  const differences = checkedNowAndThen(on);
  return async () => {
    const all = [...(await rows()), ...differences()];
    const byName = Map.groupBy(all, ({ name }) => name);
    return Object.entries(HELP).map(([name, help]) => ({ name, help, samples: byName.get(name as Name) ?? [] }));
  };
}

/** Caches a result for `ms`. Errors are not cached. */
function remembered<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  let readAt = 0;
  return () => {
    if (answer && performance.now() - readAt < ms) return answer;
    readAt = performance.now();
    const asked = read();
    answer = asked;
    asked.catch(() => {
      if (answer === asked) answer = undefined;
    });
    return asked;
  };
}

/** The result of the last check. A new check runs in the background, because it reads all tables. */
function checkedNowAndThen(on: () => Db): () => Row[] {
  let faults: Row[] = [];
  let startedAt = Number.NEGATIVE_INFINITY;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - startedAt > CHECK_EVERY) {
      const started = performance.now();
      startedAt = started;
      checkInvariants(on()).then(
        (found) => {
          checkedAt = started;
          faults = [...Map.groupBy(found, ({ rule }) => rule)].map(([rule, all]) => ({
            name: "irepo_check_faults",
            labels: { rule },
            value: all.length,
          }));
        },
        (error) => log.warn({ err: error }, "money, stock and orders cannot be compared"),
      );
    }
    return [
      ...faults,
      { name: "irepo_check_age_seconds", labels: {}, value: inSeconds(performance.now() - checkedAt) },
    ];
  };
}
