import { useEffect } from "react";
import { data, redirect, useFetcher, useNavigate } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { GuestFields } from "#app/account/guest-fields.tsx";
import { signInByLink, signInLinkState } from "#app/account/link/sign-in-link.server.ts";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { summaryOf } from "#app/account/session/store.server.ts";
import { AFTER_SIGN_IN, type Welcome, welcome } from "#app/account/welcome.ts";
import { noScriptItemsMoved } from "#app/cart/no-script-cart.browser.ts";
import { mergeGuestCarts } from "#app/cart/no-script-cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { answerOrRefusal } from "#app/ui/answer-or.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/sign-in-link";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Log in", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** The state of the link, without using it up. */
export async function loader({ request }: Route.LoaderArgs) {
  const code = new URL(request.url).searchParams.get("oobCode") ?? "";
  return { code, state: code ? await signInLinkState(db(), request, code) : ("none" as const) };
}

type Answer = ({ ok: true } & Welcome) | { ok: false; problem: string };

export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  await noScriptItemsMoved();
  return answerOrRefusal<Answer>(serverAction, { ok: false, problem: messages.login.failed });
}

export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request);
  const fail = (problem: string, status = 400, headers?: HeadersInit) =>
    data<Answer>({ ok: false, problem }, { status, headers });
  const code = form.oobCode ?? "";
  const guarded = await guard(db(), request, "code", code.slice(0, 64));
  if (!guarded.ok) return fail(messages.form.tooOften, 429, { "Retry-After": String(guarded.retryAfter) });
  try {
    const signed = await signInByLink(db(), request, code);
    if (!signed) return fail(messages.signInLink.over);
    noteSecurity("login-done", { account: signed.user.email, way: "link" });
    const { merged, cookies } = await mergeGuestCarts(db(), signed.user.id, request, form);
    const headers = new Headers();
    for (const cookie of [...signed.cookies, ...cookies]) headers.append("Set-Cookie", cookie);
    if (isPlainForm(request)) return redirect("/", { status: 303, headers });
    return data<Answer>({ ok: true, user: summaryOf(signed.user), next: "/", merged }, { headers });
  } catch (error) {
    log.error({ err: error }, "a sign-in by link failed");
    return fail(messages.login.failed, 500);
  }
}

/** The page of a sign-in link. The shopper has to press a button, because mail scanners open links, too. */
export default function SignInLink({ loaderData: { code, state }, actionData }: Route.ComponentProps) {
  const fetcher = useFetcher<Answer>();
  const navigate = useNavigate();
  const answer = fetcher.data ?? actionData;
  const signed = answer?.ok ? answer : undefined;
  const form = useFocusAnswer(answer);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!signed) return;
    const next = welcome(signed, messages.login.done);
    const timer = setTimeout(() => navigate(next, { replace: true }), AFTER_SIGN_IN);
    return () => clearTimeout(timer);
  }, [signed]);
  if (state !== "live" && !signed) return <Ended text={messages.signInLink[state === "none" ? "noCode" : state]} />;
  return (
    <AuthPage isShort title="Log in" intro={messages.signInLink.open}>
      <fetcher.Form ref={form} method="post" className="grid gap-4">
        <FormError>{answer?.ok === false && answer.problem}</FormError>
        <input type="hidden" name="oobCode" value={code} />
        <GuestFields />
        <Button busy={fetcher.state !== "idle" || signed !== undefined}>Log in</Button>
      </fetcher.Form>
    </AuthPage>
  );
}

function Ended({ text }: { text: string }) {
  return (
    <AuthPage isShort title="Log in">
      <p role="alert">{text}</p>
      <ButtonLink to="/login">Log in</ButtonLink>
    </AuthPage>
  );
}
