import { normalizeEmail } from "#app/infra/email-address.ts";
import { shopTime } from "#app/owner/shop-time.server.ts";
import { inviteStaff } from "#app/staff/invitations.server.ts";
import { changeRole, listStaff, type Member, removeStaff } from "#app/staff/members.server.ts";
import { isRole, ROLE_SAYS, ROLES } from "#app/staff/roles.ts";
import { type Actions, action, badInput } from "./command.ts";

const noRole = (role: string) =>
  badInput(
    [`There is no role '${role}': say one of`, ...ROLES.map((known) => `  ${known}: ${ROLE_SAYS[known]}`)].join("\n"),
  );

export const staff: Actions = {
  "staff invite": action({
    words: ["email", "role"],
    options: { name: "NAME" },
    says: `lets somebody into the office (${ROLES.join(", ")}): prints the link, which works once and for 7 days, and mails it. Again, for whoever can sign in no more`,
    changes: true,
    async run({ db, by, words: { email, role }, options: { name } }) {
      if (!isRole(role)) return noRole(role);
      const invitation = await inviteStaff(db, by, { email, role, name });
      const until = shopTime(new Date(invitation.expiresAt));
      return {
        code: 0,
        data: invitation,
        text: `${invitation.email} sets up how to sign in, until ${until}, at\n${invitation.url}`,
      };
    },
  }),
  "staff list": action({
    says: "who may work in the office, as what, and when they were last there",
    changes: false,
    async run({ db }) {
      const members = await listStaff(db);
      const text = members.map(lineOf).join("\n") || "Nobody yet: 'staff invite EMAIL owner'";
      return { code: 0, data: members, text };
    },
  }),
  "staff remove": action({
    words: ["email"],
    says: "lets somebody into the office no more, from this moment on. The last owner stays",
    changes: true,
    async run({ db, by, words: { email } }) {
      const removed = normalizeEmail(email);
      await removeStaff(db, by, removed);
      return { code: 0, data: { removed }, text: `${removed} is removed, and signed out everywhere.` };
    },
  }),
  "staff role": action({
    words: ["email", "role"],
    says: "gives somebody of the staff another role. The last owner stays one",
    changes: true,
    async run({ db, by, words: { email, role } }) {
      if (!isRole(role)) return noRole(role);
      const whose = normalizeEmail(email);
      await changeRole(db, by, whose, role);
      return { code: 0, data: { email: whose, role }, text: `${whose} is '${role}': ${ROLE_SAYS[role]}.` };
    },
  }),
};

function lineOf({ email, name, role, joinedAt, usedAt, invitedUntil }: Member): string {
  const seen = usedAt ? `last there ${shopTime(new Date(usedAt))}` : joinedAt ? "not signed in" : "not joined yet";
  const invited = invitedUntil ? [`invited until ${shopTime(new Date(invitedUntil))}`] : [];
  return [email, role, name || "-", seen, ...invited].join("  ");
}
