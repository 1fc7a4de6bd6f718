import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { NewPasswordField } from "#app/account/password/new-field.tsx";
import type { Session, UserSummary } from "#app/account/session/summary.browser.ts";
import { messages } from "#app/messages.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Field, FormError, PasswordField } from "#app/ui/field.tsx";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { longDate } from "#app/ui/long-date.ts";
import { NAME_MAX } from "./display-name.ts";
import { NameFields } from "./name-fields.tsx";

export const SETTINGS = ["name", "password", "sessions", "newsletter", "delete"] as const;
export type Setting = (typeof SETTINGS)[number];

/** What became of a posted setting: said beside its form. */
export type SettingAnswer = { setting: Setting; done?: string; errors: Record<string, string> };

type Props = {
  user: UserSummary;
  hasPassword: boolean;
  sessions: Session[];
  isSubscribed: boolean;
  answer?: SettingAnswer;
};

/** Beyond the specification: what a shopper can change about the account. Every form works without script. */
export function AccountSettings({ user, hasPassword, sessions, isSubscribed, answer }: Props) {
  const of = (setting: Setting) => (answer?.setting === setting ? answer : undefined);
  return (
    <section aria-labelledby="settings">
      <h2 id="settings" className="headline mb-4 text-xl">
        Settings
      </h2>
      <Panel title="Name" answer={of("name")}>
        <Setting of="name" answer={of("name")} action="Save name">
          <NameFields kept={user} errors={of("name")?.errors} maxLength={NAME_MAX} />
        </Setting>
      </Panel>
      <Panel title="Password" answer={of("password")}>
        {hasPassword ? (
          <Setting of="password" answer={of("password")} action="Change password">
            <Username email={user.email} />
            <PasswordField
              label="Current password"
              name="current"
              autoComplete="current-password"
              required
              error={of("password")?.errors.current}
            />
            <NewPasswordField
              label="New password"
              personal={[user.firstName, user.lastName, user.email.split("@")[0] ?? ""]}
              error={of("password")?.errors.password}
            />
          </Setting>
        ) : (
          <div className="grid justify-items-start gap-4">
            <p>You sign in with Google. If you want a password too, we send you a link to set one.</p>
            <ButtonLink look="outline" to="/forgotPassword">
              Set a password
            </ButtonLink>
          </div>
        )}
      </Panel>
      <Panel title="Signed-in devices" answer={of("sessions")}>
        <ul className="grid gap-3">
          {sessions.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span>
                <span className="font-semibold">{session.device}</span>
                {session.isThis && " (this one)"}
                <span className="block text-sm text-muted">
                  Last used on <time dateTime={session.usedAt}>{longDate(new Date(session.usedAt))}</time>
                </span>
              </span>
              {!session.isThis && (
                <Setting of="sessions" action={`Sign out ${session.device}`} look="quiet">
                  <input type="hidden" name="id" value={session.id} />
                </Setting>
              )}
            </li>
          ))}
        </ul>
        {sessions.length > 1 && (
          <Setting of="sessions" answer={of("sessions")} action="Sign out all other devices" look="outline" />
        )}
      </Panel>
      <Panel title="Emails" answer={of("newsletter")}>
        <Setting of="newsletter" answer={of("newsletter")} action="Save choice" look="outline">
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              name="newsletter"
              value="yes"
              defaultChecked={isSubscribed}
              className="size-5 accent-ink"
            />
            New pieces first: send me the newsletter
          </label>
          <p className="text-sm text-muted">Mails about your orders and the safety of your account always come.</p>
        </Setting>
      </Panel>
      <Panel title="My data" answer={of("delete")}>
        <div className="grid justify-items-start gap-3">
          <p>Everything that we keep of you: account, cart and orders, as one file (JSON).</p>
          <ButtonLink look="outline" to="/account/data" reloadDocument>
            Download my data
          </ButtonLink>
        </div>
        <div className="grid gap-3 border-t border-hairline pt-6">
          <h4 className="font-semibold">Delete my account</h4>
          <p>
            Your account and cart are gone at once and cannot be brought back; while an order of yours is paid and not
            sent, or money is under way, we ask you to wait. {messages.deletion.kept}
          </p>
          <Setting of="delete" answer={of("delete")} action="Delete my account" look="outline" reloadDocument>
            {hasPassword ? (
              <>
                <Username email={user.email} />
                <PasswordField
                  label="Your password"
                  name="current"
                  autoComplete="current-password"
                  required
                  error={of("delete")?.errors.current}
                />
              </>
            ) : (
              <Field
                label="Your email, to be sure"
                name="email"
                type="email"
                autoComplete="off"
                required
                error={of("delete")?.errors.email}
              />
            )}
          </Setting>
        </div>
      </Panel>
    </section>
  );
}

/** Password managers look for whose password it is. */
function Username({ email }: { email: string }) {
  return <input type="text" autoComplete="username" hidden readOnly value={email} />;
}

function Panel({ title, answer, children }: { title: string; answer?: SettingAnswer; children: ReactNode }) {
  return (
    <details className="group border-t border-hairline last:border-b" open={answer !== undefined || undefined}>
      <summary className="flex min-h-14 items-center justify-between font-semibold">
        <h3>{title}</h3>
        <ChevronIcon className="size-5 group-open:rotate-180" />
      </summary>
      <div className="grid max-w-xl gap-6 pb-8">{children}</div>
    </details>
  );
}

type SettingProps = {
  of: Setting;
  action: string;
  answer?: SettingAnswer;
  look?: "solid" | "outline" | "quiet";
  reloadDocument?: boolean;
  children?: ReactNode;
};

function Setting({ of, action, answer, look, reloadDocument, children }: SettingProps) {
  const { formData } = useNavigation();
  return (
    <Form
      method="post"
      action="/account"
      noValidate
      preventScrollReset
      reloadDocument={reloadDocument}
      className="grid justify-items-stretch gap-4"
    >
      <FormError>{answer?.errors.form}</FormError>
      <input type="hidden" name="setting" value={of} />
      {children}
      <Button look={look} busy={formData?.get("setting") === of} className="justify-self-start">
        {action}
      </Button>
      {answer?.done && (
        <p role="status" className="font-medium text-palm">
          {answer.done}
        </p>
      )}
    </Form>
  );
}
