import { useFetcher } from "react-router";
import { GoogleButton } from "#app/account/google/button.tsx";
import { NewPasswordField } from "#app/account/password/new-field.tsx";
import { PASSWORD_MIN } from "#app/account/password/rule.ts";
import { useErrors, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { EmailField, FormError } from "#app/ui/field.tsx";
import { GuestFields } from "./guest-fields.tsx";
import { NameFields } from "./name-fields.tsx";
import { OtherForm } from "./other-form.tsx";

export type RegisterErrors = Partial<Record<"firstName" | "lastName" | "email" | "password" | "form", string>>;
export type RegisterAnswer = { errors: RegisterErrors; kept: { firstName: string; lastName: string; email: string } };

type Props = {
  next: string;
  /** Whether the shop offers the sign-in with Google. */
  google: boolean;
  /** The server's response to a form posted without JavaScript. */
  posted?: RegisterAnswer;
  /** Switches to the login form in the dialog. Without it, a link leads to the login page. */
  onLogin?(): void;
};

export function RegisterForm({ next, google, posted, onLogin }: Props) {
  const fetcher = useFetcher<RegisterAnswer>();
  const answer = fetcher.data ?? posted;
  const kept = answer?.kept;
  const [errors, onInput] = useErrors(answer?.errors);
  const form = useFocusAnswer(answer);
  return (
    <>
      <fetcher.Form ref={form} onInput={onInput} method="post" action="/register" noValidate className="grid gap-4">
        <FormError>{errors.form}</FormError>
        <NameFields kept={kept} errors={errors} />
        <EmailField required defaultValue={kept?.email} error={errors.email} />
        <NewPasswordField label="Password" minLength={PASSWORD_MIN} error={errors.password} />
        <GuestFields />
        <Button busy={fetcher.state !== "idle"}>Create my account</Button>
      </fetcher.Form>
      {google && <GoogleButton from="register" next={next} />}
      <OtherForm question="Already registered?" to="/login" name="Log in" onSwitch={onLogin} />
    </>
  );
}
