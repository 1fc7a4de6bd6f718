import { inSeconds } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { isSigned, sign } from "./signature.server.ts";

const secure = env.publicUrl.protocol === "https:";

/** On https a cookie's name binds it to this very host: no neighbour under the same domain can plant one. */
export function cookieName(name: string): string {
  return secure ? `__Host-${name}` : name;
}

/** A cookie of the server alone, as a header's value; `maxAge` in milliseconds, 0 forgets it. */
export function serverCookie(name: string, value: string, maxAge: number): string {
  return `${cookieName(name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${inSeconds(maxAge)}${secure ? "; Secure" : ""}`;
}

export function readCookie(request: Request, name: string): string | undefined {
  const start = `${cookieName(name)}=`;
  const found = request.headers
    .get("cookie")
    ?.split("; ")
    .find((cookie) => cookie.startsWith(start));
  return found?.slice(start.length);
}

/** A cookie that `readSignedCookie` reads only as the server has written it. `value` has the characters of a cookie. */
export function signedCookie(name: string, value: string, maxAge: number): string {
  return serverCookie(name, `${value}~${sign(`cookie ${name}`, value)}`, maxAge);
}

/** Undefined where there is none, or somebody else has written it. */
export function readSignedCookie(request: Request, name: string): string | undefined {
  const [value = "", signature = ""] = readCookie(request, name)?.split("~") ?? [];
  return isSigned(`cookie ${name}`, value, signature) ? value : undefined;
}
