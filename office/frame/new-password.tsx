import { PASSWORD_MAX, PASSWORD_MIN } from "#app/staff/password-rule.ts";
import { Field, PasswordField } from "#app/ui/field.tsx";
import { type Qr, QrPicture } from "./qr.tsx";

/** The secret for an authenticator app, as text and as a QR code. */
export type Totp = { secret: string; qr: Qr };

/** Fields for a new password and for the authenticator app. */
export function NewPasswordFields({
  email,
  totp,
  problems,
}: {
  email: string;
  totp: Totp;
  problems: Record<string, string>;
}) {
  return (
    <>
      <input name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        required
        minLength={PASSWORD_MIN}
        maxLength={PASSWORD_MAX}
        hint={`At least ${PASSWORD_MIN} characters; a sentence is safer.`}
        error={problems.password}
      />
      <div className="grid gap-2">
        <p className="font-semibold">Codes from your phone</p>
        <p className="text-muted">Scan this with an authenticator app, or type the key into it.</p>
        <QrPicture code={totp.qr} label="The key of the codes, for an authenticator app" />
        <p className="font-mono text-[0.8125rem]">{totp.secret.replace(/(.{4})(?=.)/g, "$1 ")}</p>
        <input type="hidden" name="secret" value={totp.secret} />
      </div>
      <CodeField error={problems.code} />
    </>
  );
}

export function CodeField({ error, autoFocus }: { error?: string; autoFocus?: boolean }) {
  return (
    <Field
      label="The code it shows now"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      required
      pattern="[0-9 ]{6,7}"
      title="6 digits"
      autoFocus={autoFocus}
      error={error}
    />
  );
}
