import { inSeconds } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { isSigned, sign } from "./signature.server.ts";

const secure = env.publicUrl.protocol === "https:";

/** On https the prefix binds a cookie to this very host, so that no other host of the same domain can set it. */
export function cookieName(name: string): string {
  return secure ? `__Host-${name}` : name;
}

/** The Set-Cookie value of a cookie that scripts cannot read; `maxAge` in milliseconds, 0 deletes it. */
export function serverCookie(name: string, value: string, maxAge: number): string {
  return `${cookieName(name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${inSeconds(maxAge)}${secure ? "; Secure" : ""}`;
}

/**
 * Whether a browser may block the shop's cookies: its headers say that it navigates, and it sends none. The caller then
 * redirects to a page that checks. Programs other than browsers send no such header and are left alone.
 */
export function mayRefuseCookies(request: Request): boolean {
  return request.headers.get("sec-fetch-mode") === "navigate" && !request.headers.get("cookie");
}

export function readCookie(request: Request, name: string): string | undefined {
  return cookieIn(request.headers.get("cookie") ?? "", name);
}

/** The value of a cookie in a raw Cookie header. */
export function cookieIn(header: string, name: string): string | undefined {
  const start = `${cookieName(name)}=`;
  const found = header.split("; ").find((cookie) => cookie.startsWith(start));
  return found?.slice(start.length);
}

/**
 * A cookie with a signature, so that `readSignedCookie` accepts no other value. `value` may have only characters that
 * are allowed in cookies.
 */
export function signedCookie(name: string, value: string, maxAge: number): string {
  return serverCookie(name, `${value}~${sign(`cookie ${name}`, value)}`, maxAge);
}

/** Undefined if there is no such cookie, or its signature is wrong. */
export function readSignedCookie(request: Request, name: string): string | undefined {
  const [value = "", signature = ""] = readCookie(request, name)?.split("~") ?? [];
  return isSigned(`cookie ${name}`, value, signature) ? value : undefined;
}
