import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { IS_LOST } from "#app/infra/mail.server.ts";

/** A working mail server accepts a mail within seconds, one with greylisting within this time. */
const WAITS_AT_MOST = 30 * MINUTE;

/** `error`: the mail server's response to the mail that has waited longest. Null if it was not tried yet. */
export type WaitingMails = { count: number; since: Date | null; error: string | null };

/**
 * Mails that should have been sent by now. The time counts from the creation of their job, as a retried mail is much
 * older.
 */
export const WAITING_MAILS = sql<WaitingMails>`
  select count(*)::int as count, min(since) as since,
    (array_agg(regexp_replace(last_error, '^Error: ', '') order by since))[1] as error
  from (
    select coalesce(asked_at, created_at) as since, last_error
    from outbox left join (
      select data ->> 'id' as id, min(created_on) as asked_at from jobs.job
      where name = 'send-mail' and state in ('created', 'retry', 'active') group by 1
    ) as asked on asked.id = outbox.id::text
    where outbox.state = 'queued' and not ${IS_LOST}
  ) as queued
  where since < now() - ${millisecondsSql(WAITS_AT_MOST)}`;

export async function mailsWaiting(on: Db): Promise<WaitingMails> {
  const { rows } = await WAITING_MAILS.execute(on);
  return rows[0] ?? { count: 0, since: null, error: null };
}
