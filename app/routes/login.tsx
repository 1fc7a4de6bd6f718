import { useEffect, useState } from "react";
import { data, Form, Link, useNavigate, useNavigation, useSearchParams } from "react-router";
import { AuthPage } from "#app/account/auth-page.tsx";
import { foldEmail } from "#app/account/email-address.ts";
import { safeNext } from "#app/account/next.ts";
import { resendVerification } from "#app/account/registration.server.ts";
import { signIn, summaryOf } from "#app/account/session.server.ts";
import { rememberUser } from "#app/account/session-summary.ts";
import { guard } from "#app/account/sign-in-guard.server.ts";
import { mergeGuestCart } from "#app/cart/cart.server.ts";
import { forgetGuestCart, guestCartForSignIn, refreshCart } from "#app/cart/cart-store.ts";
import { readGuestCart } from "#app/cart/guest-item.ts";
import { db } from "#app/infra/db.server.ts";
import { isPlainForm, readForm } from "#app/infra/form-post.server.ts";
import { log } from "#app/infra/log.server.ts";
import { messages } from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, FormError, PasswordField } from "#app/ui/field.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { toast } from "#app/ui/toaster.tsx";
import type { Route } from "./+types/login";

export const meta: Route.MetaFunction = () => pageMeta({ title: "Log in | Irepo", hidden: true });

type Errors = { email?: string; password?: string; form?: string };

export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(request);
  const email = foldEmail(form.email ?? "");
  const fail = (
    errors: Errors,
    status = 400,
    extra: { unverified?: boolean; sent?: boolean; headers?: HeadersInit } = {},
  ) =>
    data(
      { ok: false as const, errors, email: form.email ?? "", unverified: extra.unverified, sent: extra.sent },
      { status, headers: extra.headers },
    );

  if (form.intent === "resend") return resend(request, email, fail);
  const errors: Errors = {};
  if (!email) errors.email = messages.form.required("email");
  if (!form.password) errors.password = messages.form.required("password");
  if (errors.email || errors.password) return fail(errors);
  const guarded = await guard(db(), request, "login", email);
  if (!guarded.ok)
    return fail({ form: messages.form.tooOften }, 429, { headers: { "Retry-After": String(guarded.retryAfter) } });
  try {
    const signed = await signIn(request, email, form.password ?? "");
    if (!signed.ok) {
      return signed.why === "unverified"
        ? fail({ form: messages.login.unverified }, 400, { unverified: true })
        : fail({ form: messages.login.invalid });
    }
    const merged = await mergeGuestCart(
      db(),
      signed.user.id,
      form.mergeId || crypto.randomUUID(),
      readGuestCart(form.guestCart || "[]"),
    );
    const headers = new Headers();
    for (const cookie of signed.cookies) headers.append("Set-Cookie", cookie);
    const next = safeNext(form.next);
    if (isPlainForm(request)) {
      headers.set("Location", next);
      return new Response(null, { status: 303, headers }) as never;
    }
    return data({ ok: true as const, user: summaryOf(signed.user), next, merged }, { headers });
  } catch (error) {
    log.error({ err: error }, "login failed");
    return fail({ form: messages.login.failed }, 500);
  }
}

type Fail = (
  errors: Errors,
  status?: number,
  extra?: { unverified?: boolean; sent?: boolean; headers?: HeadersInit },
) => ReturnType<typeof data<unknown>>;

async function resend(request: Request, email: string, fail: Fail) {
  const guarded = await guard(db(), request, "resend", email);
  if (!guarded.ok)
    return fail({ form: messages.form.tooOften }, 429, {
      headers: { "Retry-After": String(guarded.retryAfter) },
    }) as never;
  await resendVerification(db(), email);
  return fail({}, 200, { sent: true }) as never;
}

const AFTER_LOGIN = 2000;

export default function Login({ actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction?.startsWith("/login") ?? false;
  const [query] = useSearchParams();
  const guest = useGuestFields(query);
  useSignedIn(actionData?.ok ? actionData : undefined);
  const failed = actionData && !actionData.ok ? actionData : undefined;
  return (
    <AuthPage title="Login">
      {failed?.sent && <p role="status">{messages.register.done}</p>}
      <Form method="post" noValidate className="grid gap-4">
        <FormError>{failed?.errors.form}</FormError>
        {failed?.unverified && (
          <Button name="intent" value="resend" look="outline">
            Send the email again
          </Button>
        )}
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={failed?.email}
          error={failed?.errors.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={failed?.errors.password}
        />
        <input type="hidden" name="next" value={query.get("next") ?? ""} />
        <input type="hidden" name="guestCart" value={guest.guestCart} />
        <input type="hidden" name="mergeId" value={guest.mergeId} />
        <Link to="/forgotPassword" className="justify-self-start text-palm underline underline-offset-4">
          forgot password?
        </Link>
        <Button busy={busy || actionData?.ok}>Login</Button>
      </Form>
      <p>
        No account yet?{" "}
        <Link to="/register" className="text-palm underline underline-offset-4">
          Create one
        </Link>
      </p>
    </AuthPage>
  );
}

/** What the guest brings along: the guest cart by script, or (without script) the one piece in the URL that led here. */
function useGuestFields(query: URLSearchParams): { guestCart: string; mergeId: string } {
  const [stored, setStored] = useState<{ guestCart: string; mergeId: string }>();
  useEffect(() => setStored(guestCartForSignIn()), []);
  if (stored) return stored;
  const [id, size] = [query.get("id"), query.get("size")];
  if (!id || !size) return { guestCart: "", mergeId: "" };
  return {
    guestCart: JSON.stringify([
      { id, selectedSize: size, quantity: query.get("quantity") ?? 1, color: query.get("color") ?? "" },
    ]),
    mergeId: "",
  };
}

type SignedIn = { user: Parameters<typeof rememberUser>[0]; next: string; merged: { ok: boolean; adjusted?: boolean } };

/** What the shopper sees of a login: the toast, the merge, and 2 s later the page that was wanted. */
function useSignedIn(signed?: SignedIn): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!signed) return;
    rememberUser(signed.user);
    toast.success(messages.login.done);
    if (!signed.merged.ok) toast.error(messages.cart.mergeFailed);
    else {
      forgetGuestCart();
      if (signed.merged.adjusted) toast(messages.cart.adjusted);
    }
    void refreshCart();
    const timer = setTimeout(() => navigate(signed.next), AFTER_LOGIN);
    return () => clearTimeout(timer);
  }, [signed, navigate]);
}
