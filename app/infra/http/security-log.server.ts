import { createHmac } from "node:crypto";
import { HOUR } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { log } from "#app/infra/log.server.ts";
import { localCount } from "./local-count.server.ts";
import { networkOf } from "./network.ts";
import { currentRequest } from "./request-context.server.ts";

/** The events that attacks cause or that would follow a successful attack, each with its log message. */
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
  "unknown-address": "a saved address was asked for that is none, or somebody else's",
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
/** Events that are mostly harmless: logged as information, not as warnings. */
const ORDINARY = new Set<SecurityEvent>([
  "login-done",
  "office-login-done",
  "reset-asked",
  "reset-done",
  "password-changed",
]);

/** Events that anybody can cause any number of times, since no limit applies before them. */
const UNLIMITED = new Set<SecurityEvent>([
  "foreign-origin",
  "foreign-reference",
  "google-refused",
  "unknown-address",
  "unknown-host",
  "unknown-picture",
  "unknown-reference",
  "unsigned-webhook",
]);
const timesOf = localCount(HOUR);

/** Of repeated events only the first, the tenth, the hundredth … is logged, so that they cannot fill the disk. */
const isWorthALine = (count: number) => Number.isInteger(Math.log10(count));

/**
 * Logs an event of the current request, without telling who sent it: `network` and `account` (of an email address or a
 * user's id) are keyed hashes, the same for the same value as long as SESSION_SECRET stays. `times`: how often within
 * an hour the event has come from there.
 */
export function noteSecurity(
  event: SecurityEvent,
  { account, ...details }: { account?: string } & Record<string, string | number> = {},
): void {
  const address = currentRequest()?.address;
  const network = address && networkOf(address);
  const { count } = network && UNLIMITED.has(event) ? timesOf(`${event} ${network} ${account}`) : { count: 1 };
  if (!isWorthALine(count)) return;
  log[ORDINARY.has(event) ? "info" : "warn"](
    {
      security: event,
      ...(network !== undefined && { network: pseudonym("network", network) }),
      ...(account !== undefined && { account: pseudonym("account", account) }),
      ...details,
      ...(count > 1 && { times: count }),
    },
    EVENTS[event],
  );
}

export function noteLimit(limit: string, tooMany: number): void {
  if (isWorthALine(tooMany)) noteSecurity("limit-reached", { limit, tooMany });
}

function pseudonym(kind: "network" | "account", value: string): string {
  return createHmac("sha256", env.sessionSecret)
    .update(`${kind} in the log: ${value}`)
    .digest("base64url")
    .slice(0, 16);
}
