import { db } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { type LinkState, linkState, type Purpose } from "./code.server.ts";

const COOKIES: Record<Purpose, string> = { verify: "irepo.verify", reset: "irepo.reset" };
const KEPT = 10 * MINUTE;

/**
 * The code of the link that opened this page, and the link's state. Without a code: an empty text and "unknown". A
 * script removes a valid code from the address bar. The code is kept in a cookie for 10 minutes, so that the page can
 * be reloaded.
 */
export async function openedLink(
  request: Request,
  purpose: Purpose,
): Promise<{ code: string; state: LinkState; headers: HeadersInit }> {
  const given = new URL(request.url).searchParams.get("oobCode");
  const code = given ?? readCookie(request, COOKIES[purpose]) ?? "";
  const state = code ? await linkState(db(), code, purpose) : "unknown";
  const kept = serverCookie(COOKIES[purpose], code, KEPT);
  return { code, state, headers: state === "live" ? { "Set-Cookie": kept } : {} };
}
