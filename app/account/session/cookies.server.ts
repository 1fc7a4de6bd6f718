import { createHmac, randomUUID } from "node:crypto";
import { inSeconds, YEAR } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { cookieName, readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { uuidOf } from "#app/infra/uuid-of.server.ts";
import { SESSION_LIFETIME } from "./lifetime.ts";
import { SIGNED_IN_COOKIE } from "./summary.ts";

export const SESSION_COOKIE = "irepo.session";
const DEVICE_COOKIE = "irepo.device";
const DEVICE_LIFETIME = YEAR;
const KEY_COOKIE = "irepo.key";

/** The cookies of a session that begins. */
export function sessionCookies(token: string, email: string): string[] {
  return [
    serverCookie(SESSION_COOKIE, token, SESSION_LIFETIME),
    serverCookie(DEVICE_COOKIE, deviceMark(email), DEVICE_LIFETIME),
    signedInCookie(SESSION_LIFETIME),
  ];
}

/** The cookies of a session that ends. */
export function endedSessionCookies(): string[] {
  return [serverCookie(SESSION_COOKIE, "", 0), serverCookie(KEY_COOKIE, "", 0), signedInCookie(0)];
}

/** What the database keeps of the session's token that this request brings; undefined without one. */
export function tokenHashOf(request: Request): Buffer | undefined {
  const token = readCookie(request, SESSION_COOKIE);
  return token ? secretHash(token) : undefined;
}

/** Marks a device on which this account has signed in: see sign-in-guard.server.ts. It lets nobody in. */
export function isKnownDevice(request: Request, email: string): boolean {
  return readCookie(request, DEVICE_COOKIE) === deviceMark(email);
}

function deviceMark(email: string): string {
  return createHmac("sha256", env.sessionSecret).update(`device of ${email}`).digest("base64url");
}

/**
 * An idempotency key for what a plain form adds, whose page is the same for everybody and can hold none: the same for the same `words` until an answer
 * has brought `renewedKeyCookie`.
 */
export function plainFormKey(request: Request, ...words: string[]): string {
  const since = readCookie(request, KEY_COOKIE) ?? readCookie(request, SESSION_COOKIE) ?? "";
  return uuidOf(JSON.stringify([since, ...words]));
}

export function renewedKeyCookie(): string {
  return serverCookie(KEY_COOKIE, randomUUID(), SESSION_LIFETIME);
}

/** Tells the browser's script, without any secret, that somebody signed in here. */
function signedInCookie(maxAge: number): string {
  const secure = env.publicUrl.protocol === "https:" ? "; Secure" : "";
  return `${cookieName(SIGNED_IN_COOKIE)}=1; Path=/; SameSite=Lax; Max-Age=${inSeconds(maxAge)}${secure}`;
}
