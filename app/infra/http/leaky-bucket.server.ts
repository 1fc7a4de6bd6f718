import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { localCount } from "./local-count.server.ts";
import { addressOf, networkOf, networksOf } from "./network.ts";
import { nameOf } from "./rate-limit.server.ts";
import { noteLimit } from "./security-log.server.ts";

/** A bucket is stored as the time at which it will be empty; `drop` is the time, in ms, in which one try leaks out. */
const fill = statement(
  {
    takes: { buckets: sqlType.json<{ key: string; drop: number }[]>() },
    gives: { key: sqlType.text, tries: sqlType.int },
  },
  `with asked as (select key, drop from jsonb_to_recordset(:buckets) as b(key text, drop bigint)), filled as (
     insert into rate_limits as r (key, count, resets_at)
     select key, 1, now() + drop * interval '1 ms' from asked order by key
     on conflict (key) do update set
       resets_at = greatest(r.resets_at, now()) + (excluded.resets_at - now())
     returning key, resets_at)
   select key, ceil(extract(epoch from resets_at - now()) * 1000 / drop)::int as tries from filled join asked using (key)`,
);

const empty = statement(
  { takes: { buckets: sqlType.json<{ key: string; drop: number }[]>() }, gives: {} },
  `with asked as (
     select r.key, b.drop from jsonb_to_recordset(:buckets) as b(key text, drop bigint) join rate_limits r using (key)
     order by r.key for update of r)
   update rate_limits r set resets_at = r.resets_at - asked.drop * interval '1 ms' from asked where r.key = asked.key`,
);

/** Counts refused tries, of which only the first, tenth, hundredth … is logged. */
const timesFull = localCount(HOUR);

/** `giveBack` undoes the counting of the try. */
type Poured = { isFull: false; giveBack(): Promise<void> } | { isFull: true };

/**
 * Counts one try from the request's network, in a bucket that holds `max` tries and steadily leaks `max` tries per
 * `within` ms: after a short pause another try is possible. A try that finds the bucket full is not counted. The
 * address's wider networks have larger buckets.
 */
export async function pour(on: Db, request: Request, name: string, max: number, within: number): Promise<Poured> {
  const networks = networksOf(addressOf(request)).map(({ name: network, visitors }) => ({
    key: nameOf(`${name} from ${network}`),
    drop: Math.round(within / (max * visitors)),
    most: max * visitors + 1,
  }));
  const buckets = networks.map(({ key, drop }) => ({ key, drop }));
  const tries = new Map((await fill(on, { buckets })).map((row) => [row.key, row.tries]));
  const giveBack = async () => void (await empty(on, { buckets }));
  if (networks.every(({ key, most }) => (tries.get(key) ?? 0) <= most)) return { isFull: false, giveBack };
  await giveBack();
  noteLimit(name, timesFull(`${name} from ${networkOf(addressOf(request))}`).count);
  return { isFull: true };
}
