import { data, redirect, useNavigate, useSearchParams } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { requestLink } from "#app/account/link/request.server.ts";
import { askForSignInLink } from "#app/account/link/sign-in-link.server.ts";
import { type LoginAnswer, type LoginErrors, LoginForm } from "#app/account/login-form.tsx";
import { safeNext } from "#app/account/next.ts";
import { signIn } from "#app/account/session/sign-in.server.ts";
import { guard, guardLogin } from "#app/account/session/sign-in-guard.server.ts";
import { currentUser, summaryOf } from "#app/account/session/store.server.ts";
import { hasSignInCookie } from "#app/account/session/summary.browser.ts";
import { hasTypedForm } from "#app/account/session/typed-form.server.ts";
import { noScriptItemsMoved } from "#app/cart/no-script-cart.browser.ts";
import { mergeGuestCarts } from "#app/cart/no-script-cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import { mayRefuseCookies } from "#app/infra/http/cookie.server.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { answerOrRefusal, typedInto } from "#app/ui/answer-or.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/login";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Log in", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/**
 * The query parameter of the redirect after a plain form, if the browser may refuse cookies: the next request shows
 * whether it accepts them.
 */
const CHECKS = "checked";

export async function loader({ request }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  if (query.has(CHECKS) && (await currentUser(request))) throw redirect(safeNext(query.get("next")), 303);
  return { google: Boolean(env.google), blocked: query.has(CHECKS), keepsTyped: hasTypedForm(request) };
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  await noScriptItemsMoved();
  const errors = { form: messages.login.failed };
  const { email = "" } = await typedInto(request);
  const answer = await answerOrRefusal<LoginAnswer>(serverAction, { ok: false, errors, email });
  if (!("user" in answer) || hasSignInCookie()) return answer;
  return data<LoginAnswer>({ ok: false, errors: { form: messages.kept.noSession }, email }, { status: 400 });
}

type Form = Record<string, string>;

export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request);
  const resends = form.intent === "resend";
  const errors: LoginErrors = {};
  if (!form.email) errors.email = messages.form.required("email");
  if (!form.password && !resends) errors.password = messages.form.required("password");
  if (errors.email || errors.password) return refusal(form, errors);
  const email = normalizeEmail(form.email ?? "");
  if (resends && !isEmail(email)) return refusal(form, { email: messages.form.email });
  try {
    return resends ? await resend(request, form, email) : await logIn(request, form, email);
  } catch (error) {
    log.error({ err: error }, "login failed");
    return refusal(form, { form: messages.login.failed }, 500);
  }
}

function refusal({ email = "" }: Form, errors: LoginErrors, status = 400, headers?: HeadersInit, unverified = false) {
  return data<LoginAnswer>({ ok: false, errors, email, unverified }, { status, headers });
}

function tooOften(form: Form, retryAfter: number) {
  return refusal(form, { form: messages.form.tooOften }, 429, { "Retry-After": String(retryAfter) });
}

async function resend(request: Request, form: Form, email: string) {
  const guarded = await guard(db(), request, "resend", email);
  if (!guarded.ok) return tooOften(form, guarded.retryAfter);
  await requestLink(db(), "verify", email);
  const { searchParams: query } = new URL(request.url);
  query.set("sent", "");
  query.delete("reset");
  if (isPlainForm(request)) return redirect(`/login?${query}`, 303);
  return data(saying(messages.register.done, form.email));
}

function saying(notice: string, email = ""): LoginAnswer {
  return { ok: false, errors: {}, email, notice };
}

/** The message about a form that redirected here without JavaScript. */
function doneBefore(query: URLSearchParams): LoginAnswer | undefined {
  if (query.has("sent")) return saying(messages.register.done);
  return query.has("reset") ? saying(messages.reset.done) : undefined;
}

async function logIn(request: Request, form: Form, email: string) {
  const guarded = await guardLogin(db(), request, email);
  if (!guarded.ok) return tooOften(form, guarded.retryAfter);
  if (guarded.isCrowded) {
    noteSecurity("login-failed", { account: email, why: "crowded" });
    const cookie = await askForSignInLink(db(), request, email, form.password ?? "");
    return data(saying(messages.signInLink.sent(email), email), { status: 202, headers: { "Set-Cookie": cookie } });
  }
  const signed = await signIn(request, email, form.password ?? "");
  if (!signed.ok) noteSecurity("login-failed", { account: email, why: signed.why });
  if (!signed.ok && signed.why === "invalid") return refusal(form, { form: messages.login.invalid });
  await guarded.passwordWasRight();
  if (!signed.ok && signed.why === "gone") return refusal(form, { form: messages.login.noUserRecord });
  if (!signed.ok) return refusal(form, { form: messages.login.unverified }, 400, undefined, true);
  noteSecurity("login-done", { account: email, way: "password" });
  const { merged, cookies } = await mergeGuestCarts(db(), signed.user.id, request, form);
  const headers = new Headers();
  for (const cookie of [...signed.cookies, ...cookies]) headers.append("Set-Cookie", cookie);
  const next = safeNext(form.next);
  if (!isPlainForm(request))
    return data<LoginAnswer>({ ok: true, user: summaryOf(signed.user), next, merged }, { headers });
  const checks = `/login?${new URLSearchParams({ [CHECKS]: "", next })}`;
  return redirect(mayRefuseCookies(request) ? checks : next, { status: 303, headers });
}

const blockedAnswer = (): LoginAnswer => ({ ok: false, errors: { form: messages.kept.noSession }, email: "" });

export default function Login({ loaderData: { google, blocked, keepsTyped }, actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  return (
    <AuthPage title="Login" intro={keepsTyped && messages.session.keepsTyped}>
      <LoginForm
        next={query.get("next") ?? ""}
        google={google}
        posted={actionData ?? (blocked ? blockedAnswer() : doneBefore(query))}
        onDone={(next) => navigate(next)}
      />
    </AuthPage>
  );
}
