import { useEffect } from "react";
import { data, Form, redirect, useNavigate, useNavigation } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { mailedCookie } from "#app/account/link/mailed.server.ts";
import { requestLink } from "#app/account/link/request.server.ts";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { answerOrRefusal, typedInto } from "#app/ui/answer-or.ts";
import { useErrors, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, FormError } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { toast } from "#app/ui/toaster.tsx";
import type { Route } from "./+types/forgot-password";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Forgot password", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

type Errors = { email?: string; form?: string };
type Answer = { ok: boolean; errors: Errors; email: string };

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const errors = { form: messages.forgot.failed };
  const { email = "" } = await typedInto(request);
  return answerOrRefusal<Answer>(serverAction, { ok: false, errors, email });
}

export async function action({ request }: Route.ActionArgs) {
  const { email: given = "" } = await readForm(request);
  const email = normalizeEmail(given);
  const fail = (errors: Errors, status = 400, headers?: HeadersInit) =>
    data<Answer>({ ok: false, errors, email: given }, { status, headers });
  if (!email) return fail({ email: messages.form.required("email") });
  if (!isEmail(email)) return fail({ email: messages.form.email });
  const guarded = await guard(db(), request, "forgot", email);
  if (!guarded.ok) return fail({ form: messages.form.tooOften }, 429, { "Retry-After": String(guarded.retryAfter) });
  try {
    await requestLink(db(), "reset", email);
    noteSecurity("reset-asked", { account: email });
  } catch (error) {
    log.error({ err: error }, "password reset failed");
    return fail({ form: messages.forgot.failed }, 500);
  }
  const headers = { "Set-Cookie": mailedCookie(email) };
  if (isPlainForm(request)) throw redirect("/checkMail", { status: 303, headers });
  return data<Answer>({ ok: true, errors: {}, email: "" }, { headers });
}

export default function ForgotPassword({ actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction === "/forgotPassword";
  const navigate = useNavigate();
  const form = useFocusAnswer(actionData);
  const [errors, onInput] = useErrors(actionData?.errors);
  useEffect(() => {
    if (!actionData?.ok) return;
    toast.success(messages.forgot.done);
    navigate("/checkMail");
  }, [actionData, navigate]);
  return (
    <AuthPage title="Forgot password" intro="Enter your email and we’ll send you a link.">
      <Form ref={form} onInput={onInput} method="post" noValidate className="grid gap-4">
        <FormError>{errors.form}</FormError>
        <EmailField required defaultValue={actionData?.email} error={errors.email} />
        <Button busy={busy}>RETRIEVE PASSWORD</Button>
      </Form>
    </AuthPage>
  );
}
