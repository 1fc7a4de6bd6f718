import type { FetcherWithComponents } from "react-router";
import { NewPasswordField } from "#app/account/password/new-field.tsx";
import { PASSWORD_MIN } from "#app/account/password/rule.ts";
import { useErrors, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { FormError, PasswordField } from "#app/ui/field.tsx";

export type ProofErrors = { password?: string; newPassword?: string };

type Props = {
  fetcher: FetcherWithComponents<unknown>;
  action: string;
  code: string;
  answer?: { message: string; errors?: ProofErrors };
};

/**
 * Shown if a verification link is opened in another browser than the one that registered: asks for the password from
 * the registration, or for a new one.
 */
export function ProofForm({ fetcher, action, code, answer }: Props) {
  const busyWith = fetcher.formData?.has("newPassword") ? "newPassword" : fetcher.formData && "password";
  const [errors, onInput] = useErrors(answer?.errors);
  const forms = useFocusAnswer<HTMLDivElement>(answer);
  return (
    <div ref={forms} onInput={onInput} className="grid gap-6">
      <FormError>{answer?.message}</FormError>
      <fetcher.Form method="post" action={action} noValidate className="grid gap-4">
        <input type="hidden" name="oobCode" value={code} />
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
        <Button busy={busyWith === "password"}>Verify my email</Button>
      </fetcher.Form>
      <fetcher.Form method="post" action={action} noValidate className="grid gap-4 border-t border-hairline pt-6">
        <p>Forgot it, or didn’t choose it yourself? Choose a new one. The old one stops working.</p>
        <input type="hidden" name="oobCode" value={code} />
        <NewPasswordField label="New password" name="newPassword" minLength={PASSWORD_MIN} error={errors.newPassword} />
        <Button look="outline" busy={busyWith === "newPassword"}>
          Save it and verify my email
        </Button>
      </fetcher.Form>
    </div>
  );
}
