import { isIPv6 } from "node:net";
import { sql } from "kysely";
import type { Db } from "./db.server.ts";

export type Limited = { ok: true } | { ok: false; retryAfter: number };

type Window = { count: number; wait: number };

/** Counts one try under `key`; at most `max` in `seconds`, shared by all processes. `retryAfter` is in seconds. */
export async function limit(on: Db, key: string, max: number, seconds: number): Promise<Limited> {
  const { rows } = await sql<Window>`
    insert into rate_limits as r (key, count, resets_at) values (${key}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (key) do update set
      count = case when r.resets_at <= now() then 1 else r.count + 1 end,
      resets_at = case when r.resets_at <= now() then excluded.resets_at else r.resets_at end
    returning count, ceil(extract(epoch from resets_at - now()))::int as wait
  `.execute(on);
  return judge(rows[0], max);
}

/** Whether another try under `key` would be too many; counts nothing. */
export async function mayTry(on: Db, key: string, max: number): Promise<Limited> {
  const { rows } = await sql<Window>`
    select count + 1 as count, ceil(extract(epoch from resets_at - now()))::int as wait
    from rate_limits where key = ${key} and resets_at > now()
  `.execute(on);
  return judge(rows[0], max);
}

function judge(window: Window | undefined, max: number): Limited {
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
