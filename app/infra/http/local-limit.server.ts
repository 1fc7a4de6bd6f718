import { inSeconds, MINUTE } from "#app/infra/durations.ts";
import { localCount } from "./local-count.server.ts";
import { networkOf } from "./network.ts";
import type { Limited } from "./rate-limit.server.ts";
import { noteLimit } from "./security-log.server.ts";

/**
 * At most `max` requests a minute from one network, counted in this process alone: for requests that only read, and
 * would cost more to count in the database. `max` should exceed by far what the people behind one carrier's address
 * need.
 */
export function localLimit(name: string, max: number): (address: string) => Limited {
  const countOf = localCount(MINUTE);
  return (address) => {
    const { count, endsAt } = countOf(networkOf(address));
    if (count <= max) return { ok: true };
    noteLimit(name, count - max);
    return { ok: false, retryAfter: Math.ceil(inSeconds(endsAt - performance.now())) };
  };
}
