import { useEffect } from "react";
import { useFetcher, useLocation } from "react-router";
import { GoogleButton } from "#app/account/google/button.tsx";
import * as messages from "#app/messages.ts";
import { useErrors, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, FormError, PasswordField } from "#app/ui/field.tsx";
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
  /** Whether the shop offers the sign-in with Google. */
  google: boolean;
  /** The server's response to a form posted without JavaScript. */
  posted?: LoginAnswer;
  onDone(next: string): void;
  /** Switches to the register form in the dialog. Without it, a link leads to the register page. */
  onRegister?(): void;
};

export function LoginForm({ next, google, posted, onDone, onRegister }: Props) {
  const fetcher = useFetcher<LoginAnswer>();
  const { search } = useLocation();
  const answer = fetcher.data ?? posted;
  const failed = answer?.ok === false ? answer : undefined;
  const signed = answer?.ok ? answer : undefined;
  const form = useFocusAnswer(answer);
  const [errors, onInput] = useErrors(failed?.errors);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!signed) return;
    const next = welcome(signed, messages.login.done);
    const timer = setTimeout(() => onDone(next), AFTER_SIGN_IN);
    return () => clearTimeout(timer);
  }, [signed]);
  return (
    <>
      <fetcher.Form
        ref={form}
        onInput={onInput}
        method="post"
        action={onRegister ? "/login" : `/login${search}`}
        noValidate
        className="grid gap-4"
      >
        {failed?.notice && <p role="status">{failed.notice}</p>}
        <FormError>{errors.form}</FormError>
        <EmailField required defaultValue={failed?.email} error={errors.email} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
        <input type="hidden" name="next" value={next} />
        <GuestFields />
        <Link
          to="/forgotPassword"
          className="inline-flex min-h-11 items-center justify-self-start text-palm underline underline-offset-4"
        >
          forgot password?
        </Link>{" "}
        <Button busy={fetcher.state !== "idle" || answer?.ok}>Login</Button>
        {/* After the Login button, since Enter in a field presses the form's first button. */}
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
