import type { Session } from "#app/account/session/summary.ts";
import { longDate } from "#app/ui/long-date.ts";
import { Done, Panel, SettingForm } from "./form.tsx";
import type { SettingAnswer } from "./setting.ts";

/** The list of the account's sessions, by device. */
export function DevicesSetting({ sessions, answer }: { sessions: Session[]; answer?: SettingAnswer }) {
  return (
    <Panel title="Signed-in devices" answer={answer}>
      <ul className="grid gap-3">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span>
              <span className="font-semibold">{session.device}</span>
              {session.isThis && <span> (this one)</span>}{" "}
              <span className="block text-sm text-muted">
                Last used on <time dateTime={session.usedAt}>{longDate(new Date(session.usedAt))}</time>
              </span>
            </span>
            {!session.isThis && (
              <SettingForm of="sessions" action={`Sign out ${session.device}`} look="quiet">
                {() => <input type="hidden" name="id" value={session.id} />}
              </SettingForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <SettingForm of="sessions" answer={answer} action="Sign out all other devices" look="outline" />
      ) : (
        <Done answer={answer} />
      )}
    </Panel>
  );
}
