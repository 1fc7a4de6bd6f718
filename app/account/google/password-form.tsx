import * as messages from "#app/messages.ts";
import { useErrors, useFocusAnswer } from "#app/ui/answers.browser.ts";
import { Button } from "#app/ui/button.tsx";
import { FormError, PasswordField } from "#app/ui/field.tsx";

export type PasswordErrors = { password?: string; form?: string };

/**
 * Shown at the first sign-in with Google if the account's password may be a stranger's: the shopper enters that
 * password, or continues without it.
 */
export function PasswordForm({ errors: answered }: { errors?: PasswordErrors }) {
  const [errors, onInput] = useErrors(answered);
  const forms = useFocusAnswer<HTMLDivElement>(answered);
  return (
    <div ref={forms} onInput={onInput} className="grid gap-6">
      <FormError>{errors.form}</FormError>
      <form method="post" action="/auth/google/password" noValidate className="grid gap-4">
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          error={errors.password}
        />
        <Button>Keep it and sign in</Button>
      </form>
      <form method="post" action="/auth/google/password" className="grid gap-4 border-t border-hairline pt-6">
        <p>{messages.googleLink.without}</p>
        <Button look="outline" name="intent" value="without">
          Go on without it
        </Button>
      </form>
    </div>
  );
}
