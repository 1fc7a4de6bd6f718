import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { columnsOf, findRole, roleOf } from "./own-roles.server.ts";
import { ROLES } from "./roles.ts";

/** A member of staff. Times are in ISO 8601. `joinedAt` is null until the member accepts the first invitation. */
export type Member = {
  id: string;
  email: string;
  name: string;
  /** The name of the role. */
  role: string;
  joinedAt: string | null;
  usedAt: string | null;
  invitedUntil: string | null;
};

/** All members, owners first. `usedAt` is the last use of the member's current sessions. */
export async function listStaff(on: Db): Promise<Member[]> {
  const rows = await on
    .selectFrom("staff")
    .leftJoin("staffInvitations", "staffInvitations.staffId", "staff.id")
    .leftJoin("staffRoles", "staffRoles.name", "ownRole")
    .select(["staff.id", "email", "staff.name", "role", "ownRole", "permissions", "joinedAt", "expiresAt"])
    .select(sql<Date | null>`(select max(used_at) from staff_sessions where staff_id = staff.id)`.as("usedAt"))
    .orderBy(sql`array_position(${ROLES}::text[], role)`)
    .orderBy("email")
    .execute();
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return rows.map(({ joinedAt, usedAt, expiresAt, role, ownRole, permissions, ...member }) => ({
    ...member,
    role: roleOf({ role, ownRole, permissions }).name,
    joinedAt: time(joinedAt),
    usedAt: time(usedAt),
    invitedUntil: time(expiresAt),
  }));
}

const nobody = (email: string) => new BadInput(`Nobody of the staff has the address '${email}'`);

/** Throws a BadInput if there is no such member. */
export async function findMember(on: Db, email: string): Promise<{ id: string; email: string }> {
  const member = await on.selectFrom("staff").select(["id", "email"]).where("email", "=", email).executeTakeFirst();
  if (!member) throw nobody(email);
  return member;
}

/** The member, locked until the transaction ends. Throws a BadInput if there is none. */
async function lockedMember(trx: Transaction, email: string) {
  // Locks all owners in the same order. So two transactions that each remove an owner run one after the other, and
  // neither removes the last one.
  const owners = await trx
    .selectFrom("staff")
    .select("email")
    .where("role", "=", "owner")
    .where("joinedAt", "is not", null)
    .orderBy("id")
    .forUpdate()
    .execute();
  const member = await trx
    .selectFrom("staff")
    .select(["id", "email", "role", "ownRole", "joinedAt"])
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirst();
  if (!member) throw nobody(email);
  const isLastOwner = owners.length === 1 && owners[0]?.email === email;
  const { name: role } = roleOf({ ...member, permissions: null });
  return { ...member, role, isLastOwner };
}

const LAST_OWNER = "is the last owner: make somebody else an owner first";

/**
 * Changes a member's role, from the next request on. Throws a BadInput if that is not possible. `was` is the role that
 * the caller was shown: if the role has changed since, nothing is done, and the error says who changed it. Safe to
 * repeat.
 */
export function changeRole(on: Db, by: Actor, email: string, role: string, was?: string): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    const member = await lockedMember(trx, email);
    if (member.role === role) return;
    if (was !== undefined && member.role !== was) throw new BadInput(await meanwhile(trx, email, was, member.role));
    if (member.isLastOwner) throw new BadInput(`${email} ${LAST_OWNER}`);
    await trx
      .updateTable("staff")
      .set(columnsOf(await findRole(trx, role)))
      .where("id", "=", member.id)
      .execute();
    const change = { before: { role: member.role }, after: { role } };
    await recordChange(trx, { by, action: "staff role", subject: { kind: "staff", id: email }, ...change });
  });
}

/** The error text for a role that somebody else has changed since it was shown. */
async function meanwhile(trx: Transaction, email: string, was: string, now: string): Promise<string> {
  const last = await trx
    .selectFrom("auditLog")
    .select("actor")
    .where("subjectKind", "=", "staff")
    .where("subjectId", "=", email)
    .where("action", "=", "staff role")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const who = last?.actor ?? "Somebody else";
  return `${who} has changed the role of ${email} meanwhile, from '${was}' to '${now}'. Nothing was changed: choose again if that isn’t right`;
}

/** Removes a member, with all sessions, passkeys and invitations. Throws a BadInput if that is not possible. */
export function removeStaff(on: Db, by: Actor, email: string): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    const { id, role, isLastOwner } = await lockedMember(trx, email);
    if (isLastOwner) throw new BadInput(`${email} ${LAST_OWNER}`);
    await trx.deleteFrom("staff").where("id", "=", id).execute();
    await recordChange(trx, { by, action: "staff remove", subject: { kind: "staff", id: email }, before: { role } });
  });
}
