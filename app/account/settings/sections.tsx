import { NAME_MAX } from "#app/account/display-name.ts";
import { NameFields } from "#app/account/name-fields.tsx";
import type { Session, UserSummary } from "#app/account/session/summary.ts";
import { AddressesSetting, type ShownAddress } from "./addresses.tsx";
import { DevicesSetting } from "./devices.tsx";
import { Panel, SettingForm } from "./form.tsx";
import { DataSetting } from "./my-data.tsx";
import { PasswordSetting } from "./password.tsx";
import type { Setting, SettingAnswer } from "./setting.ts";

type Props = {
  user: UserSummary;
  hasPassword: boolean;
  addresses: ShownAddress[];
  /** Whether the account has as many addresses as it can have. */
  isFull: boolean;
  sessions: Session[];
  isSubscribed: boolean;
  answer?: SettingAnswer;
};

/** The account's settings. Every form works without JavaScript. */
export function AccountSettings({ user, hasPassword, addresses, isFull, sessions, isSubscribed, answer }: Props) {
  const of = (...settings: Setting[]) => (answer?.setting && settings.includes(answer.setting) ? answer : undefined);
  return (
    <section aria-labelledby="settings">
      <h2 id="settings" className="headline mb-4 text-xl">
        Settings
      </h2>
      <Panel title="Name" answer={of("name")}>
        <SettingForm of="name" answer={of("name")} action="Save name">
          {(errors) => <NameFields kept={user} errors={errors} maxLength={NAME_MAX} />}
        </SettingForm>
      </Panel>
      <AddressesSetting
        addresses={addresses}
        isFull={isFull}
        answer={of("address", "default-address", "delete-address")}
      />
      <PasswordSetting user={user} hasPassword={hasPassword} answer={of("password")} />
      <DevicesSetting sessions={sessions} answer={of("sessions")} />
      <Panel title="Emails" answer={of("newsletter")}>
        <SettingForm of="newsletter" answer={of("newsletter")} action="Save choice" look="outline">
          {() => (
            <>
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
            </>
          )}
        </SettingForm>
      </Panel>
      <DataSetting email={user.email} hasPassword={hasPassword} answer={of("delete")} />
    </section>
  );
}
