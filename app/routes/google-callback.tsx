import { data, redirect } from "react-router";
import { GoogleEnd, type GoogleEnded } from "#app/account/google/end.tsx";
import type { Carried } from "#app/account/google/open-id.server.ts";
import { accountOf, google, STATE_COOKIE } from "#app/account/google/sign-in.server.ts";
import { beginSession, summaryOf } from "#app/account/session/store.server.ts";
import { mergeGuestCarts } from "#app/cart/no-script-cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/google-callback";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Sign in with Google | Irepo", hidden: true });
export const headers: Route.HeadersFunction = () => ({ "Cross-Origin-Opener-Policy": "unsafe-none" });
/** What Google sent back is good for one time. */
export const shouldRevalidate = () => false;

/** Where Google sends the browser back to: signs in, and says so to the page where it began. */
export async function loader({ request }: Route.LoaderArgs) {
  if (!google) throw data(null, { status: 404 });
  const { searchParams } = new URL(request.url);
  const arrival = await google.finish(db(), searchParams, readCookie(request, STATE_COOKIE));
  const answer = new Headers({ "Set-Cookie": serverCookie(STATE_COOKIE, "", 0) });
  if (!arrival.ok) {
    const { from, how } = arrival.why === "foreign" ? UNKNOWN : arrival.carried;
    const why = arrival.why === "cancelled" ? "cancelled" : "failed";
    const ended: GoogleEnded = { outcome: { ok: false, why }, from, inPopup: how === "popup" };
    return data(ended, { status: 400, headers: answer });
  }
  const { next, from, how } = arrival.carried;
  const { user, cookies } = await beginSession(request, await accountOf(db(), arrival.identity));
  const { merged, cookies: ofNoScript } = await mergeGuestCarts(db(), user.id, request, arrival.carried);
  for (const cookie of [...cookies, ...ofNoScript]) answer.append("Set-Cookie", cookie);
  if (how === "plain") throw redirect(next, { status: 303, headers: answer });
  const ended: GoogleEnded = {
    outcome: { ok: true, user: summaryOf(user), next, merged },
    from,
    inPopup: how === "popup",
  };
  return data(ended, { headers: answer });
}

/** Of a sign-in that nobody knows: if it is a popup, its opener waits for a word; if it is not, telling and closing do nothing. */
const UNKNOWN: Pick<Carried, "from" | "how"> = { from: "login", how: "popup" };

export default function GoogleCallback({ loaderData }: Route.ComponentProps) {
  return <GoogleEnd {...loaderData} />;
}
