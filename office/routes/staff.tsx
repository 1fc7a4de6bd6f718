import type { ReactNode } from "react";
import { Form, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { z } from "zod";
import { BadInput } from "#app/infra/bad-input.ts";
import { db } from "#app/infra/database/db.server.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { inviteStaff } from "#app/staff/invitations.server.ts";
import { changeRole, findMember, listStaff, type Member, removeStaff } from "#app/staff/members.server.ts";
import { listRoles, type Role, removeRole, saveRole } from "#app/staff/own-roles.server.ts";
import { GIVABLE } from "#app/staff/roles.ts";
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
import { NewRole, RoleField, Roles } from "../staff/roles.tsx";

export { alsoAfterRefusal as shouldRevalidate } from "../frame/fresh.browser.tsx";
export const clientAction = keepWhatIsTyped;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { email } = requirePermission(context, "staff");
  const [members, sessions] = [await listStaff(db()), await listAllSessions(db(), request)];
  const listed = members.map((member) => ({ ...member, sessions: sessions.get(member.id) ?? [] }));
  const roles = (await listRoles(db())).map((role) => ({
    ...role,
    members: members.filter((member) => member.role === role.name).length,
  }));
  return { own: email, members: listed, roles, isFresh: await hasJustSignedIn(request) };
}

const email = z.string().transform(normalizeEmail).refine(isEmail, "That isn’t an email address");
const role = z.string("Choose a role").trim().max(100);
const roleName = z.string().trim().normalize();
const permissions = z.array(z.enum(GIVABLE)).min(1, "Tick at least one").default([]);

/** Runs `work` and turns bad input into a message beside this field. */
async function triedAt(field: string, work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BadInput) return { ok: false, problems: { [field]: error.message } };
    throw error;
  }
}

export const action = changes({
  invite: change({
    needs: "staff",
    fields: z.object({ email, role, name: z.string().trim().max(100, "That’s too long").default("") }),
    run: proved(async ({ by, fields }) => {
      const { url } = await inviteStaff(db(), by, fields);
      return {
        ok: true,
        what: `${fields.email} is invited, and has a mail. The link works for 7 days, and once:`,
        link: url,
      };
    }),
  }),
  role: change({
    needs: "staff",
    fields: z.object({ email, role, was: role }),
    run: proved(async ({ by, fields }) => {
      await changeRole(db(), by, fields.email, fields.role, fields.was);
      return { ok: true, what: `${fields.email} has the role “${fields.role}” now.` };
    }),
  }),
  remove: change({
    needs: "staff",
    fields: z.object({ email }),
    run: proved(async ({ by, fields }) => {
      await removeStaff(db(), by, fields.email);
      return { ok: true, what: `${fields.email} is removed, and signed out everywhere.` };
    }),
  }),
  "make-role": change({
    needs: "staff",
    fields: z.object({ name: roleName.min(1, "How is it called?"), permissions }),
    run: proved(({ by, fields }) =>
      triedAt("name", async () => {
        await saveRole(db(), by, fields);
        return { ok: true, what: `The role “${fields.name}” is made. Give it to somebody now.` };
      }),
    ),
  }),
  "change-role": change({
    needs: "staff",
    fields: z.object({ name: roleName, permissions, was: z.string() }),
    run: proved(async ({ by, fields: { was, ...role } }) => {
      await saveRole(db(), by, role, was.split(","));
      return { ok: true, what: `The role “${role.name}” is changed, for everybody who has it.` };
    }),
  }),
  "remove-role": change({
    needs: "staff",
    fields: z.object({ name: roleName }),
    run: proved(async ({ by, fields: { name } }) => {
      await removeRole(db(), by, name);
      return { ok: true, what: `The role “${name}” is deleted.` };
    }),
  }),
  "end-session": change({
    needs: "staff",
    fields: z.object({ email, session: z.uuid() }),
    run: async ({ by, fields }) => {
      await endSessions(db(), by, await findMember(db(), fields.email), { id: fields.session });
      return { ok: true, what: "Session ended." };
    },
  }),
});

export default function Staff() {
  const { members, own, roles, isFresh } = useLoaderData<typeof loader>();
  const answer = useAnswer<typeof action>();
  const problems = answer && "problems" in answer ? answer.problems : {};
  const of = (...intents: string[]) => (answer && intents.includes(answer.intent) ? problems : {});
  const invited = useTimesDone(answer, "invite");
  const made = useTimesDone(answer, "make-role");
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
              <MemberRow key={member.id} member={member} roles={roles} isOwn={member.email === own} />
            ))}
          </ul>
        </Section>
        <Section title="Invite somebody">
          <Form method="post" className="grid gap-4" key={invited}>
            <input type="hidden" name="intent" value="invite" />
            <Field label="Email" name="email" type="email" autoComplete="off" required error={of("invite").email} />
            <Field label="Name" name="name" autoComplete="off" maxLength={100} optional error={of("invite").name} />
            <RoleField roles={roles} value="packer" error={of("invite").role} />
            <Button>Invite</Button>
          </Form>
        </Section>
        <Section title="Roles">
          <Roles roles={roles} problems={of("change-role")} />
        </Section>
        <Section title="Make a role">
          <NewRole key={made} problems={of("make-role")} />
        </Section>
      </div>
    </Page>
  );
}

type Row = { member: Member & { sessions: StaffSession[] }; roles: Role[]; isOwn: boolean };

function MemberRow({ member, roles, isOwn }: Row) {
  const { email, name, role, sessions } = member;
  return (
    <li className="border-b border-hairline">
      <details className="group">
        <summary className="grid min-h-16 cursor-pointer grid-cols-[minmax(0,1fr)_auto_1.25rem] items-center gap-x-3 py-2 hover:bg-chosen">
          <span className="min-w-0">
            <span className="block truncate text-[0.9375rem] font-semibold">
              {name || email}
              {isOwn && " (you)"}
            </span>{" "}
            <span className="block truncate text-muted">
              {name && `${email}, `}
              {role}
            </span>
          </span>{" "}
          <MemberState member={member} />
          <ChevronIcon className="size-5 text-muted group-open:rotate-180" />
        </summary>
        <div className="grid gap-6 pt-2 pb-6 sm:grid-cols-2">
          <MemberForm intent="role" email={email}>
            <input type="hidden" name="was" value={role} />
            <RoleField roles={roles} of={name || email} value={role} />
            <Button look="line">Change the role</Button>
          </MemberForm>
          <div>
            <h3 className="mb-1 font-semibold">Signed in</h3>
            <Sessions sessions={sessions} fields={{ email }} />
          </div>
          <MemberForm intent="invite" email={email}>
            <input type="hidden" name="role" value={role} />
            <p className="text-muted">{name || email} can’t sign in? Invite them again to start over.</p>
            <Button look="line">Invite again</Button>
          </MemberForm>
          <div className="grid content-start justify-items-start gap-3">
            <p className="text-muted">Signs them out everywhere at once. Their changes stay in the log.</p>
            <Confirm
              title={`Remove ${name || email}`}
              question={`${email} can’t use the office from now on. Their passkeys, password and recovery codes are deleted. To come back, they need a new invitation.`}
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
