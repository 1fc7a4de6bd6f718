const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const WAITS = [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE];

/** How long an unpaid payment is watched, in seconds: as long as the provider repeats its webhooks. */
export const WATCHED_FOR = 72 * HOUR;

/** Seconds until a payment is looked at again, after so many looks. */
export function waitBefore(checks: number): number {
  return WAITS[checks] ?? HOUR;
}
