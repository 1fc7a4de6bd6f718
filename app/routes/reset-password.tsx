import { useEffect } from "react";
import { data, Form, redirect, useNavigate, useNavigation } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { newPasswordField } from "#app/account/fields.ts";
import { NewLinkForm } from "#app/account/link/new-link-form.tsx";
import { openedLink } from "#app/account/link/opened.server.ts";
import { overText } from "#app/account/link/over-text.ts";
import { useCodeOutOfAddress } from "#app/account/link/use-code-out-of-address.browser.ts";
import { NewPasswordField } from "#app/account/password/new-field.tsx";
import { resetPassword } from "#app/account/password/reset.server.ts";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { answerOrRefusal } from "#app/ui/answer-or.ts";
import { useErrors, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormError } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { toast } from "#app/ui/toaster.tsx";
import type { Route } from "./+types/reset-password";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Set a new password", hidden: true });

/** The state of the link, without using it up. */
export async function loader({ request }: Route.LoaderArgs) {
  const { headers, ...link } = await openedLink(request, "reset");
  return data(link, { headers });
}

const newPassword = newPasswordField("new password");
type Errors = { password?: string; form?: string };
type Answer = { ok: boolean; errors: Errors; code: string };

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  const errors = { form: messages.reset.failed };
  return answerOrRefusal<Answer>(serverAction, { ok: false, errors, code: "" });
}

export async function action({ request }: Route.ActionArgs) {
  const { oobCode = "", password = "" } = await readForm(request);
  const code = oobCode || (new URL(request.url).searchParams.get("oobCode") ?? "");
  const fail = (errors: Errors, status = 400) => data<Answer>({ ok: false, errors, code }, { status });
  if (!code) return fail({ form: messages.verification.noCode });
  const chosen = newPassword.safeParse(password);
  if (!chosen.success) return fail({ password: chosen.error.issues[0]?.message });
  if (!(await guard(db(), request, "code", code.slice(0, 64))).ok) return fail({ form: messages.form.tooOften }, 429);
  const headers = new Headers();
  try {
    const done = await resetPassword(db(), code, password);
    noteSecurity(done.ok ? "reset-done" : "reset-failed");
    if (!done.ok) return fail({ form: overText(messages.resetLink, done.why) ?? messages.reset.failed });
    headers.set("Set-Cookie", done.cookie);
  } catch (error) {
    log.error({ err: error }, "password reset failed");
    return fail({ form: messages.reset.failed }, 500);
  }
  if (isPlainForm(request)) throw redirect("/login?reset", { status: 303, headers });
  return data<Answer>({ ok: true, errors: {}, code: "" }, { headers });
}

const AFTER_RESET = 2000;

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction?.startsWith("/resetPassword") ?? false;
  const navigate = useNavigate();
  const form = useFocusAnswer(actionData);
  const [errors, onInput] = useErrors(actionData?.errors);
  useEffect(() => {
    if (!actionData?.ok) return;
    toast.success(messages.reset.done);
    const timer = setTimeout(() => navigate("/login"), AFTER_RESET);
    return () => clearTimeout(timer);
  }, [actionData, navigate]);
  const { state } = loaderData;
  useCodeOutOfAddress(state === "live");
  const code = actionData?.code || loaderData.code;
  const isDone = actionData?.ok ?? false;
  const over = overText(messages.resetLink, state);
  if (!isDone && over) {
    return (
      <AuthPage title="Set a new password">
        <FormError>{actionData?.errors.form ?? over}</FormError>
        {state === "used" && <ButtonLink to="/login">Log in</ButtonLink>}
        <NewLinkForm purpose="reset" />
      </AuthPage>
    );
  }
  const problem = code || isDone ? actionData?.errors.form : messages.verification.noCode;
  return (
    <AuthPage title="Set a new password">
      <Form ref={form} onInput={onInput} method="post" noValidate className="grid gap-4">
        <FormError>{problem}</FormError>
        <input type="hidden" name="oobCode" value={code} />
        {/* A hidden field by which password managers find the account. */}
        <input type="text" autoComplete="username" hidden readOnly />
        <NewPasswordField label="New password" error={errors.password} />
        <Button busy={busy || isDone}>RESET PASSWORD</Button>
      </Form>
      {problem && <NewLinkForm purpose="reset" />}
    </AuthPage>
  );
}
