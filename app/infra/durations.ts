/**
 * Durations are in milliseconds everywhere. Where seconds are needed (cookies, caches, the job queue), `inSeconds`
 * converts them.
 */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

export function inSeconds(duration: number): number {
  return duration / SECOND;
}
