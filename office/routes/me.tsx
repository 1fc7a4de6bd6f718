import { useState } from "react";
import { Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { db } from "#app/infra/database/db.server.ts";
import { readSubscription } from "#app/staff/notifications/devices.server.ts";
import { KINDS, kindsFor } from "#app/staff/notifications/kinds.ts";
import { chooseKinds, listDevices, switchOff, switchOn } from "#app/staff/notifications/notifications.server.ts";
import { addPasskey, listPasskeys, type Passkey, removePasskey } from "#app/staff/passkeys.server.ts";
import { hasPassword, removePassword, setPassword } from "#app/staff/password.server.ts";
import { countRecoveryCodes, newRecoveryCodes } from "#app/staff/recovery.server.ts";
import { endSessions, hasJustSignedIn, listSessions } from "#app/staff/sessions.server.ts";
import { useAnswer, useTimesDone } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { NewPasswordFields, type Totp } from "../frame/new-password.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { PasskeyForm } from "../frame/passkey.browser.tsx";
import { RecoveryCodes } from "../frame/recovery-codes.tsx";
import { Sessions } from "../frame/sessions.tsx";
import { SignInAnew, SignOut } from "../frame/sign-in-anew.tsx";
import { Time } from "../frame/times.tsx";
import { change, changes } from "../http/changes.server.ts";
import { proved } from "../http/proved.server.ts";
import { staffOf } from "../http/staff.server.ts";
import { newPasswordFields, totpToShow, WRONG_CODE } from "../http/totp.server.ts";
import { NotifiedDevices } from "../notifications/devices.tsx";
import { ThisDevice } from "../notifications/this-device.browser.tsx";

export { unlessOffline as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { id, email, name, role } = staffOf(context);
  const [passkeys, sessions, codes, withPassword, isFresh, notified] = await Promise.all([
    listPasskeys(db(), id),
    listSessions(db(), request, id),
    countRecoveryCodes(db(), id),
    hasPassword(db(), id),
    hasJustSignedIn(request),
    listDevices(db(), request, id),
  ]);
  const notifications = { kinds: kindsFor(role), devices: notified };
  const totp = await totpToShow(email);
  return { email, name, role, passkeys, sessions, codes, withPassword, isFresh, notifications, totp };
}

const LAST_WAY = "This is your last way to sign in. Add another one first.";
const NEEDS_SCRIPT = "Switching notifications on needs script. Allow it in your browser, and try again";
const UNUSABLE = "This browser’s notifications can’t be used here. Try another browser.";
const kinds = z.array(z.enum(KINDS)).min(1, "Tick at least one").prefault([]);

export const action = changes({
  "add-passkey": change({
    needs: "look",
    fields: z.object({ answer: z.string() }),
    run: proved(async ({ staff, fields, request }) => {
      const isAdded = await addPasskey(db(), request, staff, fields.answer);
      if (!isAdded) return { ok: false, problem: "The passkey wasn’t accepted. Please try again." };
      return { ok: true, what: "Passkey added." };
    }),
  }),
  "remove-passkey": change({
    needs: "look",
    fields: z.object({ passkey: z.string() }),
    run: proved(async ({ staff, fields }) => {
      const isRemoved = await removePasskey(db(), staff, fields.passkey);
      return isRemoved ? { ok: true, what: "Passkey removed." } : { ok: false, problem: LAST_WAY };
    }),
  }),
  "set-password": change({
    needs: "look",
    fields: newPasswordFields,
    run: proved(async ({ staff, fields, request }) => {
      const isSet = await setPassword(db(), request, staff, fields);
      if (!isSet) return { ok: false, problems: { code: WRONG_CODE } };
      return { ok: true, what: "Password set. All other devices are signed out." };
    }),
  }),
  "remove-password": change({
    needs: "look",
    fields: z.object({}),
    run: proved(async ({ staff }) => {
      const isRemoved = await removePassword(db(), staff);
      return isRemoved ? { ok: true, what: "Password removed." } : { ok: false, problem: LAST_WAY };
    }),
  }),
  "new-codes": change({
    needs: "look",
    fields: z.object({}),
    run: proved(async ({ staff }) => {
      const recoveryCodes = await newRecoveryCodes(db(), staff);
      return { ok: true, what: "These are your new recovery codes. The old ones no longer work.", recoveryCodes };
    }),
  }),
  "end-session": change({
    needs: "look",
    fields: z.object({ session: z.uuid() }),
    async run({ by, staff, fields }) {
      await endSessions(db(), by, staff, { id: fields.session });
      return { ok: true, what: "Session ended." };
    },
  }),
  "end-others": change({
    needs: "look",
    fields: z.object({}),
    async run({ by, staff, request }) {
      const ended = await endSessions(db(), by, staff, { notOf: request });
      return { ok: true, what: `${ended === 1 ? "1 session is" : `${ended} sessions are`} ended.` };
    },
  }),
  notify: change({
    needs: "look",
    fields: z.object({ subscription: z.string(NEEDS_SCRIPT).max(4000), kinds }),
    async run({ staff, fields, request }) {
      const target = readSubscription(fields.subscription);
      if (!target) return { ok: false, problems: { subscription: UNUSABLE } };
      await switchOn(db(), request, staff, { target, kinds: fields.kinds });
      return { ok: true, what: "This device gets notifications now." };
    },
  }),
  "notify-kinds": change({
    needs: "look",
    fields: z.object({ device: z.uuid(), kinds }),
    returnsTyped: true,
    async run({ staff, fields }) {
      await chooseKinds(db(), staff, fields.device, fields.kinds);
      return { ok: true, what: "Saved." };
    },
  }),
  "notify-off": change({
    needs: "look",
    fields: z.object({ device: z.uuid() }),
    async run({ staff, fields }) {
      await switchOff(db(), staff, fields.device);
      return { ok: true, what: "That device gets no more notifications." };
    },
  }),
});

export default function Me() {
  const { email, name, role, passkeys, sessions, codes, withPassword, isFresh, notifications, totp } =
    useLoaderData<typeof loader>();
  const answer = useAnswer<typeof action>();
  const problem = answer && "problem" in answer ? answer.problem : undefined;
  const refused = answer && "problems" in answer ? answer : undefined;
  const of = (intent: string): Record<string, string> => (refused?.intent === intent ? refused.problems : {});
  const problems = of("set-password");
  const timesSet = useTimesDone(answer, "set-password");
  const recoveryCodes = answer && "recoveryCodes" in answer ? answer.recoveryCodes : undefined;
  return (
    <Page title={name || email} about={`${email}, “${role.name}”: ${role.says}`} actions={<SignOut />}>
      {answer?.ok && <Notice kind="done">{answer.what}</Notice>}
      <SignInAnew problem={problem} isFresh={isFresh} next="/me" />
      {recoveryCodes && (
        <div className="mt-4 max-w-120">
          <RecoveryCodes codes={recoveryCodes} email={email} />
        </div>
      )}
      <div className="grid lg:grid-cols-2 lg:gap-x-14">
        <Section title="Passkeys">
          <Passkeys passkeys={passkeys} />
        </Section>
        <Section title="Where you’re signed in" aside={sessions.length > 1 && <EndOthers />}>
          <Sessions sessions={sessions} />
        </Section>
        <Section title="Password and codes">
          <p className="text-muted">
            {withPassword
              ? "Set: you may sign in with it and a code from your phone."
              : passkeys.length > 0
                ? "Not set. You sign in with a passkey."
                : "Not set."}
          </p>
          <details open={Object.keys(problems).length > 0} className="mt-2">
            <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold underline underline-offset-3">
              {withPassword ? "Change the password" : "Set a password"}
            </summary>
            <PasswordForm key={timesSet} email={email} totp={totp} problems={problems} />
          </details>
          {withPassword && passkeys.length > 0 && (
            <Form method="post" className="mt-2">
              <Button look="line" name="intent" value="remove-password">
                Remove it, and use passkeys only
              </Button>
            </Form>
          )}
        </Section>
        <Section title="Recovery codes">
          <p className={codes <= 2 ? "font-semibold text-waiting" : "text-muted"}>
            {codes} of 10 are left. Each signs you in once, if you lose everything else.
          </p>
          <Form method="post" className="mt-3">
            <Button look="line" name="intent" value="new-codes">
              Get 10 new ones
            </Button>
          </Form>
        </Section>
        {notifications.kinds.length > 0 && (
          <Section title="Notifications">
            <p className="mb-3 text-muted">
              On a phone or computer, also when the office is closed. Each device has its own.
            </p>
            <NotifiedDevices
              {...notifications}
              refused={{ id: refused?.values?.device, kinds: of("notify-kinds").kinds }}
            />
            <ThisDevice
              isOn={notifications.devices.some(({ isThis }) => isThis)}
              kinds={notifications.kinds}
              problems={of("notify")}
            />
          </Section>
        )}
      </div>
    </Page>
  );
}

/** The TOTP secret stays the same if the form is shown again, because the member may have scanned it already. */
function PasswordForm({ email, totp, problems }: { email: string; totp: Totp; problems: Record<string, string> }) {
  const [shown] = useState(totp);
  return (
    <Form method="post" className="mt-3 grid max-w-90 gap-4">
      <input type="hidden" name="intent" value="set-password" />
      <NewPasswordFields email={email} totp={shown} problems={problems} />
      <Button>Set it, and sign out all other devices</Button>
    </Form>
  );
}

function EndOthers() {
  return (
    <Form method="post">
      <Button look="quiet" name="intent" value="end-others">
        End all others
      </Button>
    </Form>
  );
}

function Passkeys({ passkeys }: { passkeys: Passkey[] }) {
  return (
    <>
      <ul className="mb-3">
        {passkeys.map(({ id, device, createdAt, usedAt }) => (
          <li key={id} className="flex min-h-14 items-center justify-between gap-3 border-b border-hairline py-1.5">
            <span className="min-w-0">
              <span className="block font-medium">{device}</span>{" "}
              <span className="text-muted">
                made <Time at={new Date(createdAt)} />
                <span>
                  {usedAt && (
                    <span>
                      , used <Time at={new Date(usedAt)} />
                    </span>
                  )}
                </span>
              </span>
            </span>
            <Form method="post">
              <input type="hidden" name="intent" value="remove-passkey" />
              <input type="hidden" name="passkey" value={id} />
              <Button look="line" aria-label={`Remove the passkey made in ${device}`}>
                Remove
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      <div className="max-w-90">
        <PasskeyForm wants={{ for: "me" }} label="Add a passkey" look="line">
          <input type="hidden" name="intent" value="add-passkey" />
        </PasskeyForm>
      </div>
    </>
  );
}
