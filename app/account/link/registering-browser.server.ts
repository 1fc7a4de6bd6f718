import { randomBytes } from "node:crypto";
import { DAY } from "#app/infra/durations.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

const COOKIE = "irepo.registered";
/** Longer than a link is valid, since a new link may be requested later. */
const KEPT = 30 * DAY;
const SECRET = /^[\w-]{43}$/;

/**
 * The secret of a browser that registers an account: the hash for the database, and the cookie. A browser has one
 * secret for all accounts that it registers.
 */
export function registeringBrowser(request: Request): { hash: Buffer; cookie: string } {
  const secret = secretOf(request) ?? randomBytes(32).toString("base64url");
  return { hash: secretHash(secret), cookie: serverCookie(COOKIE, secret, KEPT) };
}

/**
 * The hash of this browser's secret, as the database stores it. Undefined if no account was registered in this browser.
 */
export function browserHash(request: Request): Buffer | undefined {
  const secret = secretOf(request);
  return secret === undefined ? undefined : secretHash(secret);
}

function secretOf(request: Request): string | undefined {
  const secret = readCookie(request, COOKIE);
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}
