import type { ReactNode } from "react";
import { Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { BadInput } from "#app/infra/bad-input.ts";
import { db } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { inviteStaff } from "#app/staff/invitations.server.ts";
import { changeRole, findMember, listStaff, type Member, removeStaff } from "#app/staff/members.server.ts";
import { ROLE_SAYS, ROLES, type Role } from "#app/staff/roles.ts";
import { endSessions, hasJustSignedIn, listAllSessions, type StaffSession } from "#app/staff/sessions.server.ts";
import { Field } from "#app/ui/field.tsx";
import { ChevronIcon } from "#app/ui/icons.tsx";
import { useAnswer, useTimesDone } from "../connection/answer.ts";
import { Button } from "../frame/button.tsx";
import { Confirm } from "../frame/confirm.tsx";
import { CopyButton } from "../frame/copy-button.browser.tsx";
import { keepWhatIsTyped } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page, Section } from "../frame/page.tsx";
import { Sessions } from "../frame/sessions.tsx";
import { SignInAnew } from "../frame/sign-in-anew.tsx";
import { State } from "../frame/state.tsx";
import { Time } from "../frame/times.tsx";
import { change, changes, type Outcome } from "../http/changes.server.ts";
import { proved } from "../http/proved.server.ts";
import { requirePermission } from "../http/staff.server.ts";

export { alsoAfterRefusal as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { email } = requirePermission(context, "staff");
  const [members, sessions] = [await listStaff(db()), await listAllSessions(db(), request)];
  const listed = members.map((member) => ({ ...member, sessions: sessions.get(member.id) ?? [] }));
  return { own: email, members: listed, isFresh: await hasJustSignedIn(request) };
}

const email = z.string().transform(normalizeEmail).refine(isEmail, "That is no email address");
const role = z.enum(ROLES);

/** What cannot be done is said above the list. */
async function tried(work: () => Promise<{ what: string; link?: string }>): Promise<Outcome> {
  try {
    return { ok: true, ...(await work()) };
  } catch (error) {
    if (error instanceof BadInput) return { ok: false, problem: error.message };
    throw error;
  }
}

export const action = changes({
  invite: change({
    needs: "staff",
    fields: z.object({ email, role, name: z.string().trim().max(100, "That is too long").default("") }),
    run: proved(({ by, fields }) =>
      tried(async () => {
        const { url } = await inviteStaff(db(), by, fields);
        return { what: `${fields.email} is invited, and has a mail. The link works for 7 days, and once:`, link: url };
      }),
    ),
  }),
  role: change({
    needs: "staff",
    fields: z.object({ email, role, was: role }),
    run: proved(({ by, fields }) =>
      tried(async () => {
        await changeRole(db(), by, fields.email, fields.role, fields.was);
        return { what: `${fields.email} has the role “${fields.role}” now.` };
      }),
    ),
  }),
  remove: change({
    needs: "staff",
    fields: z.object({ email }),
    run: proved(({ by, fields }) =>
      tried(async () => {
        await removeStaff(db(), by, fields.email);
        return { what: `${fields.email} is removed, and signed out everywhere.` };
      }),
    ),
  }),
  "end-session": change({
    needs: "staff",
    fields: z.object({ email, session: z.uuid() }),
    run: ({ by, fields }) =>
      tried(async () => {
        await endSessions(db(), by, await findMember(db(), fields.email), { id: fields.session });
        return { what: "The session is ended." };
      }),
  }),
});

export default function Staff() {
  const { members, own, isFresh } = useLoaderData<typeof loader>();
  const answer = useAnswer<typeof action>();
  const problems = answer && "problems" in answer ? answer.problems : {};
  const invited = useTimesDone(answer, "invite");
  return (
    <Page title="Staff" about={`${members.length === 1 ? "1 person" : `${members.length} people`}`}>
      {answer?.ok && (
        <Notice kind="done" actions={answer.link && <CopyButton text={answer.link} label="Copy the link" />}>
          {answer.what} <span className="wrap-anywhere">{answer.link}</span>
        </Notice>
      )}
      <SignInAnew
        problem={answer && "problem" in answer ? answer.problem : undefined}
        isFresh={isFresh}
        next="/staff"
      />
      <div className="grid lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-x-14">
        <Section title="Who works here">
          <ul className="border-t border-hairline">
            {members.map((member) => (
              <MemberRow key={member.id} member={member} isOwn={member.email === own} />
            ))}
          </ul>
        </Section>
        <Section title="Invite somebody">
          <Form method="post" className="grid gap-4" key={invited}>
            <input type="hidden" name="intent" value="invite" />
            <Field label="Email" name="email" type="email" autoComplete="off" required error={problems.email} />
            <Field label="Name" name="name" autoComplete="off" maxLength={100} optional error={problems.name} />
            <RoleField error={problems.role} />
            <Button>Invite</Button>
          </Form>
        </Section>
      </div>
    </Page>
  );
}

function RoleField({ value = "orders", error }: { value?: Role; error?: string }) {
  return (
    <fieldset>
      <legend className="font-semibold">Role</legend>
      {ROLES.map((one) => (
        <label key={one} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input type="radio" name="role" value={one} defaultChecked={one === value} className="size-5 accent-ink" />
          <span>
            <span className="font-medium">{one}</span> <span className="text-muted">{ROLE_SAYS[one]}</span>
          </span>
        </label>
      ))}
      {error && <p className="text-error">{error}</p>}
    </fieldset>
  );
}

function MemberRow({ member, isOwn }: { member: Member & { sessions: StaffSession[] }; isOwn: boolean }) {
  const { email, name, role, sessions } = member;
  return (
    <li className="border-b border-hairline">
      <details className="group">
        <summary className="grid min-h-16 cursor-pointer grid-cols-[minmax(0,1fr)_auto_1.25rem] items-center gap-x-3 py-2 hover:bg-chosen">
          <span className="min-w-0">
            <span className="block truncate text-[0.9375rem] font-semibold">
              {name || email}
              {isOwn && " (you)"}
            </span>
            <span className="block truncate text-muted">
              {name && `${email}, `}
              {role}
            </span>
          </span>
          <MemberState member={member} />
          <ChevronIcon className="size-5 text-muted group-open:rotate-180" />
        </summary>
        <div className="grid gap-6 pt-2 pb-6 sm:grid-cols-2">
          <MemberForm intent="role" email={email}>
            <input type="hidden" name="was" value={role} />
            <RoleField value={role} />
            <Button look="line">Change the role</Button>
          </MemberForm>
          <div>
            <h3 className="mb-1 font-semibold">Signed in</h3>
            <Sessions sessions={sessions} fields={{ email }} />
          </div>
          <MemberForm intent="invite" email={email}>
            <input type="hidden" name="role" value={role} />
            <p className="text-muted">Can {name || email} sign in no more? A new invitation sets up everything anew.</p>
            <Button look="line">Invite again</Button>
          </MemberForm>
          <div className="grid content-start justify-items-start gap-3">
            <p className="text-muted">Signs out everywhere, from this moment on. What was done stays in the log.</p>
            <Confirm
              title={`Remove ${name || email}`}
              question={`${email} can do nothing in the office from this moment on. Passkeys, password and recovery codes go for good: coming back takes a new invitation.`}
              submit="Remove from the staff"
              intent="remove"
              fields={{ email }}
            />
          </div>
        </div>
      </details>
    </li>
  );
}

function MemberForm({ intent, email, children }: { intent: string; email: string; children: ReactNode }) {
  return (
    <Form method="post" className="grid content-start justify-items-start gap-3">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="email" value={email} />
      {children}
    </Form>
  );
}

function MemberState({
  member: { joinedAt, invitedUntil, sessions },
}: {
  member: Member & { sessions: StaffSession[] };
}) {
  if (invitedUntil && Date.parse(invitedUntil) < Date.now()) return <State tone="person">Invitation expired</State>;
  if (invitedUntil) return <State tone="waiting">Invited</State>;
  const [last] = sessions;
  if (last)
    return (
      <State tone="done">
        <Time at={new Date(last.usedAt)} />
      </State>
    );
  return <State tone="rest">{joinedAt ? "Signed out" : "Not invited"}</State>;
}
