import { inSeconds, MINUTE } from "#app/infra/durations.ts";

/** A wrong try. `left`: how many more are allowed before a pause. */
export type Wrong = { ok: false; why: "wrong"; left: number };
/** Too many tries. `retryAfter` is in seconds. `ofNetwork`: the tries came from others in the same network. */
export type Resting = { ok: false; why: "rest"; retryAfter: number; ofNetwork?: true };
/** The sign-in took too long, or the password changed meanwhile. It must start again. */
export type Expired = { ok: false; why: "expired" };

/** Shown to a member who wants to change the ways to sign in, but signed in too long ago. */
export const SIGN_IN_ANEW = "You signed in a while ago. Sign in again to change who signs in, and how.";

export const REST = 15 * MINUTE;
const REST_SAYS = `${inSeconds(REST) / 60} minutes’ rest`;

/** The text for a refused try. `wrong` says what does not match. */
export function refusalText(refused: Wrong | Resting | Expired, wrong: string): string {
  if (refused.why === "expired") return "That took too long. Please begin again.";
  if (refused.why === "rest") {
    const when = minutes(Math.ceil(refused.retryAfter / 60));
    if (!refused.ofNetwork) return `Too many tries. Try again in ${when}.`;
    return `Too many wrong tries came from your network. Use a passkey or a recovery code, or try again in ${when}.`;
  }
  if (refused.left === 0) return `${wrong} That was the last try: now ${REST_SAYS}.`;
  return `${wrong} ${refused.left === 1 ? "1 try" : `${refused.left} tries`} left, then ${REST_SAYS}.`;
}

const minutes = (count: number) => (count === 1 ? "a minute" : `${count} minutes`);
