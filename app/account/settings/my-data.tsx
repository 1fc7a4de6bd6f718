import * as messages from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Field, PasswordField } from "#app/ui/field.tsx";
import { Panel, SettingForm, Username } from "./form.tsx";
import type { SettingAnswer } from "./setting.ts";

type Props = { email: string; hasPassword: boolean; answer?: SettingAnswer };

/** The shopper's data: a download, and the deletion of the account. */
export function DataSetting({ email, hasPassword, answer }: Props) {
  return (
    <Panel title="My data" answer={answer}>
      <div className="grid justify-items-start gap-3">
        <p>Everything that we keep of you: account, cart and orders, as one file (JSON).</p>
        <ButtonLink look="outline" to="/account/data" reloadDocument>
          Download my data
        </ButtonLink>
      </div>
      <div className="grid gap-3 border-t border-hairline pt-6">
        <h4 className="font-semibold">Delete my account</h4>
        <p>
          We’ll delete your account and cart at once, and can’t bring them back. If an order is paid and not sent yet,
          or a payment or refund is in progress, we’ll ask you to wait. {messages.deletion.kept}
        </p>
        <SettingForm of="delete" answer={answer} action="Delete my account" look="outline" reloadDocument>
          {(errors) =>
            hasPassword ? (
              <>
                <Username email={email} />
                <PasswordField
                  label="Your password"
                  name="current"
                  autoComplete="current-password"
                  required
                  error={errors.current}
                />
              </>
            ) : (
              <Field
                label="Your email, to be sure"
                name="email"
                type="email"
                autoComplete="off"
                required
                error={errors.email}
              />
            )
          }
        </SettingForm>
      </div>
    </Panel>
  );
}
