import { isIPv6 } from "node:net";
import { sql } from "kysely";
import { type Db, prepared } from "./db.server.ts";

export type Limited = { ok: true } | { ok: false; retryAfter: number };

type Window = { key: string; count: number; wait: number };
type Limit = readonly [key: string, max: number, seconds: number];

const countTries = prepared<Window, [limits: string]>(
  `insert into rate_limits as r (key, count, resets_at)
   select key, 1, now() + make_interval(secs => seconds)
   from jsonb_to_recordset($1::jsonb) as l(key text, seconds integer) order by key
   on conflict (key) do update set
     count = case when r.resets_at <= now() then 1 else r.count + 1 end,
     resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
   returning key, count, ceil(extract(epoch from resets_at - now()))::int as wait`,
);

/** Counts one try under each key, all keys different; at most `max` in `seconds`, shared by all processes. `retryAfter` is in seconds. */
export async function limit(on: Db, ...limits: Limit[]): Promise<Limited> {
  const windows = await countTries(on, JSON.stringify(limits.map(([key, , seconds]) => ({ key, seconds }))));
  const judged = limits.map(([key, max]) =>
    judge(
      windows.find((window) => window.key === key),
      max,
    ),
  );
  return judged.find(({ ok }) => !ok) ?? { ok: true };
}

/** Whether another try under `key` would be too many; counts nothing. */
export async function mayTry(on: Db, key: string, max: number): Promise<Limited> {
  const { rows } = await sql<Omit<Window, "key">>`
    select count + 1 as count, ceil(extract(epoch from resets_at - now()))::int as wait
    from rate_limits where key = ${key} and resets_at > now()
  `.execute(on);
  return judge(rows[0], max);
}

function judge(window: Omit<Window, "key"> | undefined, max: number): Limited {
  return !window || window.count <= max ? { ok: true } : { ok: false, retryAfter: window.wait };
}

/** The client's address as a bucket: a household's IPv6 network (/64) is one. */
export function addressBucket(request: Request): string {
  const address = request.headers.get("x-irepo-client") ?? "unknown";
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const groups = address.includes("::")
    ? [...left, ...Array(8 - left.length - right.length).fill("0"), ...right]
    : left;
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/** Takes away what is over. */
export async function forgetLimits(on: Db): Promise<void> {
  await sql`delete from rate_limits where resets_at < now()`.execute(on);
}
