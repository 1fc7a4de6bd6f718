import { sql } from "kysely";
import type { Db } from "#app/infra/database/db.server.ts";
import { movedTimes } from "#app/owner/demo-past/moved.ts";
import type { Ledger } from "../../sandbox/ledger.ts";

/** The passing of time in a throw-away shop: all that is written moves into the past. */
export type Passing = {
  /** Milliseconds since the beginning. */
  now(): number;
  pass(ms: number): Promise<void>;
  /** Moves the times within the audit log's JSON, once, at the end. */
  finish(): Promise<void>;
};

/** Written once. Only the owner of the database may turn the guards off, and only in a shop that nobody uses. */
const MOVE = `do $move$
declare moved record;
begin
  set local session_replication_role = replica;
  for moved in
    select table_name, string_agg(format('%1$I = %1$I - interval ''%2$s ms''', column_name, :ms), ', ') as moves
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and data_type = 'timestamp with time zone'
    group by table_name
  loop
    execute format('update %I set %s', moved.table_name, moved.moves);
  end loop;
end $move$`;

export function passing(on: Db, ledger: Ledger): Passing {
  let passed = 0;
  /** The newest entry of the audit log when so much had passed. */
  const entries: { id: number; passed: number }[] = [];

  async function newestEntry(): Promise<number> {
    const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0)::int as id from audit_log`.execute(on);
    return rows[0]?.id ?? 0;
  }
  const back = (time: string, ms: number) => new Date(Date.parse(time) - ms).toISOString();

  return {
    now: () => passed,
    async pass(ms) {
      entries.push({ id: await newestEntry(), passed });
      await sql.raw(MOVE.replace(":ms", String(ms))).execute(on);
      for (const one of ledger.transactions.values()) {
        one.createdAt = back(one.createdAt, ms);
        if (one.paidAt) one.paidAt = back(one.paidAt, ms);
        for (const attempt of one.attempts) attempt.at = back(attempt.at, ms);
      }
      for (const refund of ledger.refunds) refund.createdAt = back(refund.createdAt, ms);
      passed += ms;
    },
    async finish() {
      const rows = await on.selectFrom("auditLog").select(["id", "before", "after"]).execute();
      await on.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx);
        for (const { id, before, after } of rows) {
          const since = passed - (entries.find((entry) => Number(id) <= entry.id)?.passed ?? passed);
          const texts = [before, after].map((value) => (value === null ? null : JSON.stringify(value)));
          const [was = null, is = null] = texts.map((text) => text && movedTimes(text, -since));
          if (was !== texts[0] || is !== texts[1])
            await trx.updateTable("auditLog").set({ before: was, after: is }).where("id", "=", id).execute();
        }
      });
    },
  };
}
