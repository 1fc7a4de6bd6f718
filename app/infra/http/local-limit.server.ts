import { inSeconds, MINUTE } from "#app/infra/durations.ts";
import { networkOf } from "./network.ts";
import type { Limited } from "./rate-limit.server.ts";
import { noteLimit } from "./security-log.server.ts";

/** So many networks are known at once; beyond that the oldest windows are forgotten. */
const MOST = 10_000;

/**
 * At most `max` a minute from one network, counted in this process alone: for what only reads, and would cost more to count in the database. Far
 * more than the people behind one carrier's address ask for.
 */
export function localLimit(name: string, max: number): (address: string) => Limited {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return (address) => {
    const network = networkOf(address);
    const now = performance.now();
    let window = windows.get(network);
    if (!window || window.endsAt <= now) {
      windows.delete(network);
      window = { count: 0, endsAt: now + MINUTE };
      windows.set(network, window);
      const [oldest] = windows.keys();
      if (windows.size > MOST && oldest !== undefined) windows.delete(oldest);
    }
    window.count++;
    if (window.count <= max) return { ok: true };
    noteLimit(name, window.count - max);
    return { ok: false, retryAfter: Math.ceil(inSeconds(window.endsAt - now)) };
  };
}
