import { HOUR, MINUTE, SECOND } from "#app/infra/durations.ts";

const WAITS = [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE];

/** How long an unpaid payment is watched: as long as the provider repeats its webhooks. */
export const WATCHED_FOR = 72 * HOUR;

/** How long until a payment is looked at again, after so many looks. */
export function waitBefore(checks: number): number {
  return WAITS[checks] ?? HOUR;
}
