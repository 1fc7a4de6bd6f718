import { createHmac } from "node:crypto";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { networkOf } from "./network.ts";
import { currentRequest } from "./request-context.server.ts";

/** What an attack leaves behind, and what one would do that came through, with the sentence of its line. */
const EVENTS = {
  "login-done": "somebody logged in",
  "login-failed": "a login was refused",
  "office-login-done": "somebody signed in to the back office",
  "office-login-failed": "a sign-in to the back office was refused",
  "office-denied": "somebody of the staff asked for what their role may not",
  "limit-reached": "too many tries: refused",
  "foreign-origin": "a form was refused: it came from another site",
  "google-refused": "a sign-in by Google was refused: not begun in this browser, used, or not vouched for",
  "foreign-reference": "an order of somebody else was asked for",
  "unknown-reference": "an order that is none was asked for",
  "unknown-picture": "a picture of a return was asked for that is none, or somebody else's",
  "unknown-host": "a request for another host was refused",
  "unsigned-webhook": "a webhook was refused: the provider has not signed it",
  "reset-asked": "a password reset was asked for",
  "reset-done": "a password was reset",
  "reset-failed": "a password reset was refused: its code is used, old or made up",
  "password-changed": "a password was changed in the settings",
  "password-not-changed": "a change of password was refused: the present one was wrong",
  "account-not-deleted": "a deletion of an account was refused: the proof that it is the owner's wish was wrong",
} as const;

export type SecurityEvent = keyof typeof EVENTS;
/** What mostly is no attack. */
const ORDINARY = new Set<SecurityEvent>([
  "login-done",
  "office-login-done",
  "reset-asked",
  "reset-done",
  "password-changed",
]);

/**
 * One line about what the request under way tried. Nothing in it tells who that was: `network` and `account` (of a mail address or a user's id)
 * are keyed hashes, the same for the same one as long as SESSION_SECRET is.
 */
export function noteSecurity(
  event: SecurityEvent,
  { account, ...details }: { account?: string } & Record<string, string | number> = {},
): void {
  const address = currentRequest()?.address;
  log[ORDINARY.has(event) ? "info" : "warn"](
    {
      security: event,
      ...(address !== undefined && { network: pseudonym("network", networkOf(address)) }),
      ...(account !== undefined && { account: pseudonym("account", account) }),
      ...details,
    },
    EVENTS[event],
  );
}

/** Of refusals one after the other only the first, the tenth, the hundredth … is worth a line: a log must not fill the disk. */
export function noteLimit(limit: string, tooMany: number): void {
  if (Number.isInteger(Math.log10(tooMany))) noteSecurity("limit-reached", { limit, tooMany });
}

function pseudonym(kind: "network" | "account", value: string): string {
  return createHmac("sha256", env.sessionSecret)
    .update(`${kind} in the log: ${value}`)
    .digest("base64url")
    .slice(0, 16);
}
