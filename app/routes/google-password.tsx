import { data, Navigate, redirect } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { arrive, isAccountGone } from "#app/account/google/arrive.server.ts";
import { GoogleEnd, type GoogleEnded } from "#app/account/google/end.tsx";
import type { GoogleOutcome } from "#app/account/google/outcome.ts";
import { type PasswordErrors, PasswordForm } from "#app/account/google/password-form.tsx";
import { endPause, type Paused, pausedOf } from "#app/account/google/pause.server.ts";
import { accountOf, hashOfAddress, STATE_COOKIE } from "#app/account/google/sign-in.server.ts";
import { guardLogin } from "#app/account/session/sign-in-guard.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/google-password";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Sign in with Google", hidden: true });
/** Keeps the popup connected to its opener, see google.tsx. */
export const headers: Route.HeadersFunction = () => ({ "Cross-Origin-Opener-Policy": "unsafe-none" });

export const shouldRevalidate = () => false;

/**
 * Shown at the first sign-in with Google to an account whose password is not proved: the shopper enters the password,
 * or continues without it.
 */
export async function loader({ request }: Route.LoaderArgs) {
  const paused = await pausedOf(db(), readCookie(request, STATE_COOKIE));
  return { email: paused?.identity.email ?? "" };
}

type Answer = { errors: PasswordErrors } | GoogleEnded;

const refuse = (errors: PasswordErrors, status: number) => data<Answer>({ errors }, { status });

export async function action({ request }: Route.ActionArgs) {
  const { intent, password = "" } = await readForm(request);
  const state = readCookie(request, STATE_COOKIE) ?? "";
  const paused = await pausedOf(db(), state);
  if (!paused) return refuse({ form: messages.googleLink.over }, 400);
  if (intent === "without") return goOn(request, state, paused);
  if (!password) return refuse({ password: messages.form.required("password") }, 400);
  const { email } = paused.identity;
  const guarded = await guardLogin(db(), request, email);
  if (!guarded.ok || guarded.isCrowded) return refuse({ form: messages.form.tooOften }, 429);
  const checked = await hashOfAddress(db(), email, password);
  if (checked === undefined) {
    noteSecurity("login-failed", { account: email, why: "invalid" });
    return refuse({ password: messages.googleLink.wrongPassword }, 400);
  }
  await guarded.passwordWasRight();
  return goOn(request, state, paused, checked);
}

async function goOn(request: Request, state: string, { identity, carried }: Paused, checked?: string) {
  const headers = new Headers({ "Set-Cookie": serverCookie(STATE_COOKIE, "", 0) });
  const { from, how } = carried;
  const end = (outcome: GoogleOutcome, status: number) =>
    data<Answer>({ outcome, from, inPopup: how === "popup" }, { status, headers });
  try {
    if (!(await endPause(db(), state))) return end({ ok: false, why: "failed" }, 400);
    const { welcome, cookies } = await arrive(request, await accountOf(db(), identity, checked), carried);
    for (const cookie of cookies) headers.append("Set-Cookie", cookie);
    return how === "plain" ? redirect(welcome.next, { status: 303, headers }) : end({ ok: true, ...welcome }, 200);
  } catch (error) {
    if (isAccountGone(error)) return end({ ok: false, why: "gone" }, 400);
    log.error({ err: error }, "a sign-in by Google failed");
    return end({ ok: false, why: "failed" }, 500);
  }
}

export default function GooglePassword({ loaderData: { email }, actionData }: Route.ComponentProps) {
  if (actionData && "outcome" in actionData) return <GoogleEnd {...actionData} />;
  if (!email && !actionData) return <Navigate to="/login" replace />;
  return (
    <AuthPage title="Sign in with Google" intro={email && messages.googleLink.asks(email)}>
      <PasswordForm errors={actionData?.errors} />
    </AuthPage>
  );
}
