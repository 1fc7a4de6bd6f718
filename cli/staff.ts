import { normalizeEmail } from "#app/infra/email-address.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { inviteStaff } from "#app/staff/invitations.server.ts";
import { changeRole, listStaff, type Member, removeStaff } from "#app/staff/members.server.ts";
import { listRoles } from "#app/staff/own-roles.server.ts";
import { ROLES } from "#app/staff/roles.ts";
import { type Actions, action } from "./command.ts";

export const staff: Actions = {
  "staff invite": action({
    words: ["email", "role"],
    options: { name: "NAME" },
    says: `invites somebody to the office (${ROLES.join(", ")}, or a role of your own): prints and emails a link that works once, for 7 days. Repeat it for somebody who can no longer sign in`,
    changes: true,
    asOwner: true,
    async run({ db, by, words: { email, role }, options: { name } }) {
      const invitation = await inviteStaff(db, by, { email, role, name });
      const until = shopTime(new Date(invitation.expiresAt));
      return {
        code: 0,
        data: invitation,
        text: `${invitation.email} can set up their sign-in until ${until} at\n${invitation.url}`,
      };
    },
  }),
  "staff list": action({
    says: "lists who can use the office, their role, and when they were last there",
    changes: false,
    async run({ db }) {
      const members = await listStaff(db);
      const text = members.map(lineOf).join("\n") || "Nobody yet. Start with 'staff invite EMAIL owner'";
      return { code: 0, data: members, text };
    },
  }),
  "staff roles": action({
    says: "lists the roles, your own too, and what each may do",
    changes: false,
    async run({ db }) {
      const roles = await listRoles(db);
      return { code: 0, data: roles, text: roles.map(({ name, says }) => `${name}: ${says}`).join("\n") };
    },
  }),
  "staff remove": action({
    words: ["email"],
    says: "removes somebody from the office at once. The last owner can't be removed",
    changes: true,
    asOwner: true,
    async run({ db, by, words: { email } }) {
      const removed = normalizeEmail(email);
      await removeStaff(db, by, removed);
      return { code: 0, data: { removed }, text: `${removed} was removed and signed out everywhere.` };
    },
  }),
  "staff role": action({
    words: ["email", "role"],
    says: "gives a member of staff another role. The last owner stays an owner",
    changes: true,
    asOwner: true,
    async run({ db, by, words: { email, role } }) {
      const whose = normalizeEmail(email);
      await changeRole(db, by, whose, role);
      return { code: 0, data: { email: whose, role }, text: `${whose} is now '${role}'.` };
    },
  }),
};

function lineOf({ email, name, role, joinedAt, usedAt, invitedUntil }: Member): string {
  const seen = usedAt ? `last there ${shopTime(new Date(usedAt))}` : joinedAt ? "not signed in" : "not joined yet";
  const invited = invitedUntil ? [`invited until ${shopTime(new Date(invitedUntil))}`] : [];
  return [email, role, name || "-", seen, ...invited].join("  ");
}
