import { data, redirect } from "react-router";
import { arrive, isAccountGone } from "#app/account/google/arrive.server.ts";
import { GoogleEnd, type GoogleEnded } from "#app/account/google/end.tsx";
import type { Carried } from "#app/account/google/open-id.server.ts";
import type { GoogleOutcome } from "#app/account/google/outcome.ts";
import { pause } from "#app/account/google/pause.server.ts";
import { accountOf, asksPassword, google, STATE_COOKIE, STATE_LIFETIME } from "#app/account/google/sign-in.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { log } from "#app/infra/log.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/google-callback";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Sign in with Google", hidden: true });
export const headers: Route.HeadersFunction = () => ({ "Cross-Origin-Opener-Policy": "unsafe-none" });

/** Google's response can be used only once, so the loader must not run again. */
export const shouldRevalidate = () => false;

/**
 * The URL to which Google returns the browser. Begins the session, and sends the result to the page where the sign-in
 * began. Failures are results, too, since otherwise the popup would stay open.
 */
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
    const { identity, carried } = arrival;
    if (await asksPassword(db(), identity)) {
      headers.set("Set-Cookie", serverCookie(STATE_COOKIE, await pause(db(), { identity, carried }), STATE_LIFETIME));
      return redirect("/auth/google/password", { status: 303, headers });
    }
    const { welcome, cookies } = await arrive(request, await accountOf(db(), identity), carried);
    for (const cookie of cookies) headers.append("Set-Cookie", cookie);
    if (begun.how === "plain") return redirect(welcome.next, { status: 303, headers });
    return end({ ok: true, ...welcome }, 200);
  } catch (error) {
    if (isAccountGone(error)) return end({ ok: false, why: "gone" }, 400);
    log.error({ err: error }, "a sign-in by Google failed");
    return end({ ok: false, why: "failed" }, 500);
  }
}

/**
 * Used if the sign-in is unknown. A popup has to report to its opener; in a whole page, reporting and closing have no
 * effect.
 */
const UNKNOWN: Pick<Carried, "from" | "how"> = { from: "login", how: "popup" };

export default function GoogleCallback({ loaderData }: Route.ComponentProps) {
  return <GoogleEnd {...loaderData} />;
}
