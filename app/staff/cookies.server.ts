import { inSeconds } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";

const secure = env.officeUrl?.protocol === "https:";

/** The session's token. */
export const SESSION_COOKIE = "irepo.office";
/** The sign-in between the password and the code. */
export const CODE_COOKIE = "irepo.office-code";

/** On https the name binds it to this very host. */
const nameOf = (name: string) => (secure ? `__Host-${name}` : name);

/** A cookie that no other site's page sends along, as a header's value; `maxAge` in milliseconds, 0 forgets it. */
export function officeCookie(name: string, value: string, maxAge: number): string {
  return `${nameOf(name)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${inSeconds(maxAge)}${secure ? "; Secure" : ""}`;
}

export function readOfficeCookie(request: Request, name: string): string | undefined {
  const start = `${nameOf(name)}=`;
  const cookies = request.headers.get("cookie")?.split("; ") ?? [];
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}
