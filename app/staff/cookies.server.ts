import { inSeconds } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";

const secure = env.officeUrl?.protocol === "https:";

/** Holds the session's token. */
export const SESSION_COOKIE = "irepo.office";
/** Holds the sign-in between the password and the one-time code. */
export const CODE_COOKIE = "irepo.office-code";

/** On https, the prefix binds the cookie to this host. */
const nameOf = (name: string) => (secure ? `__Host-${name}` : name);

/**
 * The value of a Set-Cookie header. Browsers do not send the cookie with requests from other sites. `maxAge` is in
 * milliseconds; 0 deletes the cookie.
 */
export function officeCookie(name: string, value: string, maxAge: number): string {
  return `${nameOf(name)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${inSeconds(maxAge)}${secure ? "; Secure" : ""}`;
}

export function readOfficeCookie(request: Request, name: string): string | undefined {
  return officeCookieIn(request.headers.get("cookie") ?? "", name);
}

/** The value of a cookie in a Cookie header. */
export function officeCookieIn(header: string, name: string): string | undefined {
  const start = `${nameOf(name)}=`;
  const found = header.split("; ").find((cookie) => cookie.startsWith(start));
  return found?.slice(start.length);
}
