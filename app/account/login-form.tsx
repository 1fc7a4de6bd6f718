import { useEffect } from "react";
import { useFetcher, useLocation } from "react-router";
import { GoogleButton } from "#app/account/google/button.tsx";
import * as messages from "#app/messages.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, FormError, PasswordField } from "#app/ui/field.tsx";
import { useFocusProblem } from "#app/ui/focus.browser.ts";
import { Link } from "#app/ui/link.tsx";
import { GuestFields } from "./guest-fields.tsx";
import { OtherForm } from "./other-form.tsx";
import { AFTER_SIGN_IN, type Welcome, welcome } from "./welcome.ts";

export type LoginErrors = { email?: string; password?: string; form?: string };
export type LoginAnswer =
  | ({ ok: true } & Welcome)
  | { ok: false; errors: LoginErrors; email: string; unverified?: boolean; notice?: string };

type Props = {
  next: string;
  /** Whether the shop offers Google's way in. */
  google: boolean;
  /** What the server said to the form posted without script. */
  posted?: LoginAnswer;
  onDone(next: string): void;
  /** In the dialog the register form is a switch away, not a page. */
  onRegister?(): void;
};

export function LoginForm({ next, google, posted, onDone, onRegister }: Props) {
  const fetcher = useFetcher<LoginAnswer>();
  const { search } = useLocation();
  const answer = fetcher.data ?? posted;
  const failed = answer?.ok === false ? answer : undefined;
  const signed = answer?.ok ? answer : undefined;
  const form = useFocusProblem(answer);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!signed) return;
    const next = welcome(signed, messages.login.done);
    const timer = setTimeout(() => onDone(next), AFTER_SIGN_IN);
    return () => clearTimeout(timer);
  }, [signed]);
  return (
    <>
      {failed?.notice && <p role="status">{failed.notice}</p>}
      <fetcher.Form
        ref={form}
        method="post"
        action={onRegister ? "/login" : `/login${search}`}
        noValidate
        className="grid gap-4"
      >
        <FormError>{failed?.errors.form}</FormError>
        <EmailField required defaultValue={failed?.email} error={failed?.errors.email} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={failed?.errors.password}
        />
        <input type="hidden" name="next" value={next} />
        <GuestFields />
        <Link
          to="/forgotPassword"
          className="inline-flex min-h-11 items-center justify-self-start text-palm underline underline-offset-4"
        >
          forgot password?
        </Link>
        <Button busy={fetcher.state !== "idle" || answer?.ok}>Login</Button>
        {/* Behind Login: Enter in a field presses a form's first button. */}
        {failed?.unverified && (
          <Button name="intent" value="resend" look="outline">
            Send the email again
          </Button>
        )}
      </fetcher.Form>
      {google && <GoogleButton from="login" next={next} />}
      <OtherForm question="No account yet?" to="/register" name="Create one" onSwitch={onRegister} />
    </>
  );
}
