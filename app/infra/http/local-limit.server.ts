import { inSeconds, MINUTE } from "#app/infra/durations.ts";
import { localCount } from "./local-count.server.ts";
import { networkOf } from "./network.ts";
import type { Limited } from "./rate-limit.server.ts";
import { noteLimit } from "./security-log.server.ts";

/**
 * At most `max` a minute from one network, counted in this process alone: for what only reads, and would cost more to count in the database. Far
 * more than the people behind one carrier's address ask for.
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
