import { HOUR, MINUTE, SECOND } from "#app/infra/durations.ts";

const WAITS = [15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE];

/** How long an unpaid payment is checked: as long as the provider retries its webhooks. */
export const WATCHED_FOR = 72 * HOUR;

/** The delay before a payment's next check, in milliseconds, after `checks` earlier ones. */
export function waitBefore(checks: number): number {
  return WAITS[checks] ?? HOUR;
}
