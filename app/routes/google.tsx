import { data, Navigate, redirect } from "react-router";
import { GoogleEnd, type GoogleEnded } from "#app/account/google/end.tsx";
import { google, STATE_COOKIE, STATE_LIFETIME } from "#app/account/google/sign-in.server.ts";
import { safeNext } from "#app/account/next.ts";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { readGuestCartFields } from "#app/cart/guest-item.ts";
import { db } from "#app/infra/database/db.server.ts";
import { serverCookie } from "#app/infra/http/cookie.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/google";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Sign in with Google", hidden: true });
/** Keeps the popup connected to its opener, even if the provider's pages do not set this policy. */
export const headers: Route.HeadersFunction = () => ({ "Cross-Origin-Opener-Policy": "unsafe-none" });

/** Begins a sign-in with Google: stores the form's data and redirects the browser to Google. */
export async function action({ request }: Route.ActionArgs) {
  if (!google) throw data(null, { status: 404 });
  const form = await readForm(request);
  const from = form.from === "register" ? "register" : "login";
  const how = form.how === "popup" || form.how === "page" ? form.how : "plain";
  const failed = (status: number) =>
    data<GoogleEnded>({ outcome: { ok: false, why: "failed" }, from, inPopup: how === "popup" }, { status });
  if (!(await guard(db(), request, "google")).ok) return failed(429);
  try {
    const { url, state } = await google.begin(db(), {
      next: safeNext(form.next),
      from,
      how,
      ...readGuestCartFields(form),
    });
    return redirect(url, { status: 303, headers: { "Set-Cookie": serverCookie(STATE_COOKIE, state, STATE_LIFETIME) } });
  } catch (error) {
    log.warn({ err: error }, "Google cannot be reached");
    return failed(502);
  }
}

export default function Google({ actionData }: Route.ComponentProps) {
  return actionData ? <GoogleEnd {...actionData} /> : <Navigate to="/login" replace />;
}
