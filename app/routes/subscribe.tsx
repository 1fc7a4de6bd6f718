import { data, Form, redirect, useSearchParams } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { isPlainForm, readForm } from "#app/infra/http/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";
import { isPersonName } from "#app/infra/text/person-name.ts";
import * as messages from "#app/messages.ts";
import { subscribe as addSubscriber, subscription } from "#app/newsletter/newsletter.server.ts";
import { answerOrRefusal, typedInto } from "#app/ui/answer-or.ts";
import { useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmailField, Field, FormError } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import type { Route } from "./+types/subscribe";

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, { title: "Newsletter", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

/** `name` is an error message for the name field. */
type Answer = { ok: boolean; message?: string; name?: string; fields: Record<string, string> };

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const fields = await typedInto(request);
  return answerOrRefusal<Answer>(serverAction, { ok: false, message: messages.subscribe.failed, fields });
}

export async function action({ request }: Route.ActionArgs) {
  const fields = await readForm(request);
  const refuse = (message: string, status: number, headers?: HeadersInit) =>
    data<Answer>({ ok: false, message, fields }, { status, headers });
  const parsed = subscription.safeParse(fields);
  if (!parsed.success) return refuse(messages.subscribe.incomplete, 400);
  const { firstName, email } = parsed.data;
  if (!isPersonName(firstName))
    return data<Answer>({ ok: false, name: messages.form.notAName, fields }, { status: 400 });
  if (!isEmail(email)) return refuse(messages.form.email, 400);
  const guarded = await guard(db(), request, "subscribe", normalizeEmail(email));
  if (!guarded.ok) return refuse(messages.form.tooOften, 429, { "Retry-After": String(guarded.retryAfter) });
  try {
    await addSubscriber(db(), firstName, email);
  } catch (error) {
    log.error({ err: error }, "subscribing failed");
    return refuse(messages.subscribe.failed, 500);
  }
  if (isPlainForm(request)) throw redirect("/subscribe?done", 303);
  return data<Answer>({ ok: true, message: messages.subscribe.done, fields: {} });
}

/** The page that the footer's form leads to without JavaScript. */
export default function Subscribe({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  const fields = actionData?.fields ?? {};
  const form = useFocusAnswer(actionData);
  return (
    <AuthPage title="Newsletter">
      {query.has("done") ? (
        <>
          <p role="status">{messages.subscribe.done}</p>
          <ButtonLink to="/shop">Shop Now</ButtonLink>
        </>
      ) : (
        <Form ref={form} method="post" className="grid gap-4" noValidate>
          <FormError>{actionData?.message}</FormError>
          <Field
            label="First name"
            name="firstName"
            autoComplete="given-name"
            defaultValue={fields.firstName}
            error={actionData?.name}
          />
          <EmailField defaultValue={fields.email} />
          <Button>Subscribe</Button>
        </Form>
      )}
    </AuthPage>
  );
}
