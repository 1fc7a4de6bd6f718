import { inSeconds, MINUTE } from "#app/infra/durations.ts";

/** `left` more tries, then a rest. */
export type Wrong = { ok: false; why: "wrong"; left: number };
/** `retryAfter` in seconds. */
export type Resting = { ok: false; why: "rest"; retryAfter: number };
/** The sign-in took too long, or what it rested on was changed meanwhile: it begins anew. */
export type Expired = { ok: false; why: "expired" };

/** To whoever would change who signs in, or how, a while after they have. */
export const SIGN_IN_ANEW = "You signed in a while ago. Sign in again to change who signs in, and how.";

export const REST = 15 * MINUTE;
const REST_SAYS = `${inSeconds(REST) / 60} minutes’ rest`;

/** What is said of a try that was refused; `wrong` says what does not fit. */
export function refusalText(refused: Wrong | Resting | Expired, wrong: string): string {
  if (refused.why === "expired") return "That took too long. Please begin again.";
  if (refused.why === "rest") return `Too many tries. Try again in ${minutes(Math.ceil(refused.retryAfter / 60))}.`;
  if (refused.left === 0) return `${wrong} That was the last try: now ${REST_SAYS}.`;
  return `${wrong} ${refused.left === 1 ? "1 try" : `${refused.left} tries`} left, then ${REST_SAYS}.`;
}

const minutes = (count: number) => (count === 1 ? "a minute" : `${count} minutes`);
