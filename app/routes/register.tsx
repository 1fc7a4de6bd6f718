import { data, redirect } from "react-router";
import { z } from "zod";
import { AuthPage } from "#app/account/auth-page.tsx";
import { registration } from "#app/account/fields.ts";
import { mailedCookie } from "#app/account/link/mailed.server.ts";
import { registeringBrowser } from "#app/account/link/registering-browser.server.ts";
import { type RegisterAnswer, type RegisterErrors, RegisterForm } from "#app/account/register-form.tsx";
import { mailRegistered, register } from "#app/account/registration.server.ts";
import { guard } from "#app/account/session/sign-in-guard.server.ts";
import { noScriptItemsMoved } from "#app/cart/no-script-cart.browser.ts";
import { mergeGuestCarts } from "#app/cart/no-script-cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import { readForm } from "#app/infra/http/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";
import * as messages from "#app/messages.ts";
import { answerOr, typedInto } from "#app/ui/answer-or.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { toast } from "#app/ui/toaster.tsx";
import type { Route } from "./+types/register";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Create an account", hidden: true });

/** Passes on the action's headers, such as Retry-After. */
export const headers: Route.HeadersFunction = ({ actionHeaders }) => actionHeaders;

export function loader() {
  return { google: Boolean(env.google) };
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  await noScriptItemsMoved();
  const errors = { form: messages.register.failed };
  const { firstName = "", lastName = "", email = "" } = await typedInto(request);
  const kept = { firstName, lastName, email };
  try {
    return data(await answerOr<RegisterAnswer>(serverAction, { errors, kept }), { status: 400 });
  } catch (way) {
    if (way instanceof Response && way.headers.has("Location")) toast.success(messages.register.done);
    throw way;
  }
}

export async function action({ request }: Route.ActionArgs) {
  const { password = "", ...rest } = await readForm(request);
  const kept = { firstName: rest.firstName ?? "", lastName: rest.lastName ?? "", email: rest.email ?? "" };
  const fail = (errors: RegisterErrors, status = 400, headers?: HeadersInit) =>
    data<RegisterAnswer>({ errors, kept }, { status, headers });
  const email = normalizeEmail(kept.email);
  const parsed = registration.safeParse({ ...kept, email, password });
  if (!parsed.success) {
    const { fieldErrors } = z.flattenError(parsed.error);
    return fail(Object.fromEntries(Object.entries(fieldErrors).map(([field, [first]]) => [field, first])));
  }
  const guarded = await guard(db(), request, "register", email);
  if (!guarded.ok) return fail({ form: messages.form.tooOften }, 429, { "Retry-After": String(guarded.retryAfter) });
  const browser = registeringBrowser(request);
  try {
    const registered = await register(db(), { ...parsed.data, email }, browser.hash);
    if (registered.ok)
      await mergeGuestCarts(db(), registered.userId, request, rest); // copied: the browser's cart stays until the login
    else if (guarded.isCrowded) await mailRegistered(db(), email);
    else return fail({ email: messages.register.emailInUse });
  } catch (error) {
    log.error({ err: error }, "registration failed");
    return fail({ form: messages.register.failed }, 500);
  }
  const headers = new Headers({ "Set-Cookie": browser.cookie });
  headers.append("Set-Cookie", mailedCookie(email));
  throw redirect("/verifyMail", { status: 303, headers });
}

export default function Register({ loaderData: { google }, actionData }: Route.ComponentProps) {
  return (
    <AuthPage title="Create account" intro="One cart on all your devices, and your orders in one place.">
      <RegisterForm next="" google={google} posted={actionData} />
    </AuthPage>
  );
}
