import { randomUUID } from "node:crypto";
import { inSeconds } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { cookieName, readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { uuidOf } from "#app/infra/uuid-of.server.ts";
import { SESSION_LIFETIME } from "./lifetime.ts";
import { SIGNED_IN_COOKIE } from "./summary.ts";
import { clearTypedForm } from "./typed-form.server.ts";

export const SESSION_COOKIE = "irepo.session";
const KEY_COOKIE = "irepo.key";

/** The cookies to set when a session begins. */
export function sessionCookies(token: string): string[] {
  return [serverCookie(SESSION_COOKIE, token, SESSION_LIFETIME), signedInCookie(SESSION_LIFETIME)];
}

/** The cookies to clear when a session ends. */
export function endedSessionCookies(): string[] {
  return [serverCookie(SESSION_COOKIE, "", 0), serverCookie(KEY_COOKIE, "", 0), signedInCookie(0), clearTypedForm()];
}

/** The hash of the request's session token, as the database stores it. Undefined without a session cookie. */
export function tokenHashOf(request: Request): Buffer | undefined {
  const token = readCookie(request, SESSION_COOKIE);
  return token ? secretHash(token) : undefined;
}

/**
 * An idempotency key for a plain form that adds something. The page is the same for everybody, so the form itself
 * cannot hold a key. The key is the same for the same `words`, until a response sets `renewedKeyCookie`.
 */
export function plainFormKey(request: Request, ...words: string[]): string {
  const since = readCookie(request, KEY_COOKIE) ?? readCookie(request, SESSION_COOKIE) ?? "";
  return uuidOf(JSON.stringify([since, ...words]));
}

export function renewedKeyCookie(): string {
  return serverCookie(KEY_COOKIE, randomUUID(), SESSION_LIFETIME);
}

/** Tells the browser's scripts that a shopper is signed in. The cookie contains no secret. */
function signedInCookie(maxAge: number): string {
  const secure = env.publicUrl.protocol === "https:" ? "; Secure" : "";
  return `${cookieName(SIGNED_IN_COOKIE)}=1; Path=/; SameSite=Lax; Max-Age=${inSeconds(maxAge)}${secure}`;
}
