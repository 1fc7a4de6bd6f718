import { hash } from "node:crypto";
import { sql } from "kysely";
import { batched } from "#app/infra/database/batch.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { noteLimit } from "./security-log.server.ts";

export type Limited = { ok: true } | { ok: false; retryAfter: number };
type Judged = { ok: true; left: number } | Extract<Limited, { ok: false }>;

type Window = { count: number; wait: number };
type Limit = readonly [key: string, max: number, within: number];

const COUNT_ON = `on conflict (key) do update set
     count = case when r.resets_at <= now() then excluded.count else r.count + excluded.count end,
     resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end`;
const countTries = statement(
  {
    takes: { tries: sqlType.json<{ key: string; count: number; within?: number }[]>() },
    gives: { key: sqlType.text, count: sqlType.int, wait: sqlType.int },
  },
  `insert into rate_limits as r (key, count, resets_at)
   select key, count, now() + within * interval '1 ms'
   from jsonb_to_recordset(:tries) as l(key text, count integer, within bigint) order by key
   ${COUNT_ON}
   returning key, count, ceil(extract(epoch from resets_at - now()))::int as wait`,
);

/**
 * The stored name of a key. Keys contain what visitors typed: of any length, and with characters that the database
 * cannot store.
 */
export const nameOf = (key: string) => hash("sha256", key, "base64url");

async function count(on: Db, asked: Limit[]): Promise<Map<Limit, Window>> {
  const tries = Map.groupBy(asked, ([key]) => nameOf(key));
  const counts = [...tries].map(([key, all]) => ({ key, count: all.length, within: all[0]?.[2] }));
  const windows = await countTries(on, { tries: counts });
  return new Map(
    windows.flatMap(({ key, count, wait }) =>
      (tries.get(key) ?? []).toReversed().map((one, later) => [one, { count: count - later, wait }] as const),
    ),
  );
}

const countTogether = batched((on, asked: Limit[][]) =>
  count(on, asked.flat()).catch((error) => {
    // One call made the statement fail, so nothing was counted: each is counted alone.
    if (error.severity === "ERROR") return undefined;
    throw error;
  }),
);

/**
 * SQL for use in another statement: counts one try under `:key`, a name by `nameOf`, for the one row of `rows`, and
 * returns the `count` within `:within`.
 */
export function countTrySql(rows: string): string {
  return `insert into rate_limits as r (key, count, resets_at)
   select :key, 1, now() + :within::interval from ${rows}
   ${COUNT_ON}
   returning count`;
}

/** Whether a try counted by another statement is within `max`. */
export function isWithin(key: string, count: number, max: number): boolean {
  return judge(key, { count, wait: 0 }, max).ok;
}

/**
 * Counts one try under each key, all keys different: at most `max` tries per `within` ms, shared by all processes.
 * `retryAfter` is in seconds.
 */
export async function limit(on: Db, ...limits: Limit[]): Promise<Limited> {
  // Guards against a duration in seconds, as cookies and headers have it, which would let everything through.
  if (limits.some(([, , within]) => within < MINUTE))
    throw new Error("A window lasts a minute at least, in milliseconds");
  return (await judgeAll(on, limits)).find((judged) => !judged.ok) ?? { ok: true };
}

async function judgeAll(on: Db, limits: Limit[]): Promise<Judged[]> {
  const windows = (await countTogether(on, limits)) ?? (await count(on, limits));
  return limits.map((one) => judge(one[0], windows.get(one), one[1]));
}

const giveBack = statement(
  { takes: { tries: sqlType.json<{ key: string; count: number }[]>() }, gives: {} },
  `with asked as (
     select r.key, l.count from jsonb_to_recordset(:tries) as l(key text, count integer) join rate_limits r using (key)
     order by r.key for update of r)
   update rate_limits r set count = greatest(r.count - asked.count, 0) from asked where r.key = asked.key`,
);
const giveBackTogether = batched(async (on, tries: { name: string }[]) => {
  const counts = [...Map.groupBy(tries, ({ name }) => name)].map(([key, all]) => ({ key, count: all.length }));
  await giveBack(on, { tries: counts });
});

type Taken = { ok: true; left: number; giveBack(): Promise<void> } | Extract<Limited, { ok: false }>;

/**
 * Like `limit` for one key, but a refused try does not count, and a try can be undone. `left`: how many more tries are
 * allowed.
 */
export async function takeTry(on: Db, key: string, max: number, within: number): Promise<Taken> {
  const [counted = { ok: true, left: max }] = await judgeAll(on, [[key, max, within]]);
  const uncount = () => giveBackTogether(on, { name: nameOf(key) });
  if (counted.ok) return { ...counted, giveBack: uncount };
  await uncount();
  return counted;
}

function judge(key: string, window: Window | undefined, max: number): Judged {
  if (!window || window.count <= max) return { ok: true, left: max - (window?.count ?? 0) };
  noteLimit(withoutWhose(key), window.count - max);
  return { ok: false, retryAfter: window.wait };
}

/** The part of a key that may be logged: `login for` of `login for ada@example.com`. */
function withoutWhose(key: string): string {
  return /^[a-z ]*?(?: (?:from|for|of)\b|$)/i.exec(key)?.[0] || "unnamed";
}

const forget = statement(
  { takes: { keys: sqlType.json<string[]>() }, gives: {} },
  `with asked as (
     select r.key from jsonb_array_elements_text(:keys) as asked(key) join rate_limits r using (key)
     order by r.key for update of r)
   delete from rate_limits r using asked where r.key = asked.key`,
);

/** Resets the counts of these keys. */
export async function forgetTries(on: Db, keys: string[]): Promise<void> {
  await forget(on, { keys: keys.map(nameOf) });
}

export async function deleteExpiredLimits(on: Db): Promise<void> {
  await sql`delete from rate_limits where resets_at < now()`.execute(on);
}
