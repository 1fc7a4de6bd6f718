import { NoResultError } from "kysely";
import { data, redirect } from "react-router";
import { GoogleEnd, type GoogleEnded } from "#app/account/google/end.tsx";
import type { Carried } from "#app/account/google/open-id.server.ts";
import type { GoogleOutcome } from "#app/account/google/outcome.ts";
import { accountOf, google, STATE_COOKIE } from "#app/account/google/sign-in.server.ts";
import { beginSession, summaryOf } from "#app/account/session/store.server.ts";
import { mergeGuestCarts } from "#app/cart/no-script-cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { errorCode } from "#app/infra/error-fields.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { log } from "#app/infra/log.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/google-callback";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Sign in with Google | Irepo", hidden: true });
export const headers: Route.HeadersFunction = () => ({ "Cross-Origin-Opener-Policy": "unsafe-none" });
const FOREIGN_KEY_VIOLATION = "23503";

/** What Google sent back is good for one time. */
export const shouldRevalidate = () => false;

/** Where Google sends the browser back to: signs in, and says so to the page where it began. Whatever fails is an answer too: the popup would stay open. */
export async function loader({ request }: Route.LoaderArgs) {
  if (!google) throw data(null, { status: 404 });
  const headers = new Headers({ "Set-Cookie": serverCookie(STATE_COOKIE, "", 0) });
  let begun = UNKNOWN;
  const end = (outcome: GoogleOutcome, status: number) =>
    data<GoogleEnded>({ outcome, from: begun.from, inPopup: begun.how === "popup" }, { status, headers });
  try {
    const { searchParams } = new URL(request.url);
    const arrival = await google.finish(db(), searchParams, readCookie(request, STATE_COOKIE));
    if (!arrival.ok && arrival.why !== "cancelled") noteSecurity("google-refused");
    if (!arrival.ok && arrival.why === "foreign") return end({ ok: false, why: "failed" }, 400);
    begun = arrival.carried;
    if (!arrival.ok) return end({ ok: false, why: arrival.why }, 400);
    const { user, cookies } = await beginSession(request, await accountOf(db(), arrival.identity));
    noteSecurity("login-done", { account: user.email, way: "google" });
    const { merged, cookies: ofNoScript } = await mergeGuestCarts(db(), user.id, request, arrival.carried);
    for (const cookie of [...cookies, ...ofNoScript]) headers.append("Set-Cookie", cookie);
    const { next } = arrival.carried;
    if (begun.how === "plain") return redirect(next, { status: 303, headers });
    return end({ ok: true, user: summaryOf(user), next, merged }, 200);
  } catch (error) {
    if (isAccountGone(error)) return end({ ok: false, why: "gone" }, 400);
    log.error({ err: error }, "a sign-in by Google failed");
    return end({ ok: false, why: "failed" }, 500);
  }
}

/** The account was there and is deleted before what belongs to it is written. */
function isAccountGone(error: unknown): boolean {
  return error instanceof NoResultError || errorCode(error) === FOREIGN_KEY_VIOLATION;
}

/** Of a sign-in that nobody knows: if it is a popup, its opener waits for a word; if it is not, telling and closing do nothing. */
const UNKNOWN: Pick<Carried, "from" | "how"> = { from: "login", how: "popup" };

export default function GoogleCallback({ loaderData }: Route.ComponentProps) {
  return <GoogleEnd {...loaderData} />;
}
