import { NewPasswordField } from "#app/account/password/new-field.tsx";
import type { UserSummary } from "#app/account/session/summary.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/field.tsx";
import { Panel, SettingForm, Username } from "./form.tsx";
import type { SettingAnswer } from "./setting.ts";

type Props = { user: UserSummary; hasPassword: boolean; answer?: SettingAnswer };

export function PasswordSetting({ user, hasPassword, answer }: Props) {
  return (
    <Panel title="Password" answer={answer}>
      {hasPassword ? (
        <SettingForm of="password" answer={answer} action="Change password">
          {(errors) => (
            <>
              <Username email={user.email} />
              <PasswordField
                label="Current password"
                name="current"
                autoComplete="current-password"
                required
                error={errors.current}
              />
              <NewPasswordField
                label="New password"
                personal={[user.firstName, user.lastName, user.email.split("@")[0] ?? ""]}
                error={errors.password}
              />
            </>
          )}
        </SettingForm>
      ) : (
        <div className="grid justify-items-start gap-4">
          <p>You sign in with Google. Want a password too? We’ll send you a link to set one.</p>
          <ButtonLink look="outline" to="/forgotPassword">
            Set a password
          </ButtonLink>
        </div>
      )}
    </Panel>
  );
}
