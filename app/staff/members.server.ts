import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import type { Role } from "./roles.ts";

/** A member of staff. Times as ISO 8601; `joinedAt` is null until the first invitation is accepted. */
export type Member = {
  id: string;
  email: string;
  name: string;
  role: Role;
  joinedAt: string | null;
  usedAt: string | null;
  invitedUntil: string | null;
};

/** Everybody, owners first. `usedAt`: when one of their sessions that still lasts was used last. */
export async function listStaff(on: Db): Promise<Member[]> {
  const rows = await on
    .selectFrom("staff")
    .leftJoin("staffInvitations", "staffInvitations.staffId", "staff.id")
    .select(["staff.id", "email", "name", "role", "joinedAt", "expiresAt"])
    .select(sql<Date | null>`(select max(used_at) from staff_sessions where staff_id = staff.id)`.as("usedAt"))
    .orderBy(sql`array_position('{owner,orders,catalogue,reader}', role)`)
    .orderBy("email")
    .execute();
  const time = (at: Date | null) => at?.toISOString() ?? null;
  return rows.map(({ joinedAt, usedAt, expiresAt, ...member }) => ({
    ...member,
    joinedAt: time(joinedAt),
    usedAt: time(usedAt),
    invitedUntil: time(expiresAt),
  }));
}

const nobody = (email: string) => new BadInput(`Nobody of the staff has the address '${email}'`);

/** Throws a BadInput where there is none. */
export async function findMember(on: Db, email: string): Promise<{ id: string; email: string }> {
  const member = await on.selectFrom("staff").select(["id", "email"]).where("email", "=", email).executeTakeFirst();
  if (!member) throw nobody(email);
  return member;
}

/** The member, locked until the transaction ends; a BadInput where there is none. */
async function lockedMember(trx: Transaction, email: string) {
  // All owners in one order: whoever takes one away waits for whoever takes another.
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
    .select(["id", "email", "role", "joinedAt"])
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirst();
  if (!member) throw nobody(email);
  const isLastOwner = owners.length === 1 && owners[0]?.email === email;
  return { ...member, isLastOwner };
}

const LAST_OWNER = "is the last owner: make somebody else an owner first";

/**
 * Gives a member another role; it counts from their next request. A BadInput says why not. `was`: the role that was shown; where it is another by now,
 * nothing is changed, and who did it is said. Safe to repeat.
 */
export function changeRole(on: Db, by: Actor, email: string, role: Role, was?: Role): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    const member = await lockedMember(trx, email);
    if (member.role === role) return;
    if (was !== undefined && member.role !== was) throw new BadInput(await meanwhile(trx, email, was, member.role));
    if (member.isLastOwner) throw new BadInput(`${email} ${LAST_OWNER}`);
    await trx.updateTable("staff").set({ role }).where("id", "=", member.id).execute();
    const change = { before: { role: member.role }, after: { role } };
    await recordChange(trx, { by, action: "staff role", subject: { kind: "staff", id: email }, ...change });
  });
}

/** That somebody else has given this member another role than the one that was shown. */
async function meanwhile(trx: Transaction, email: string, was: Role, now: Role): Promise<string> {
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
  return `${who} has changed the role of ${email} meanwhile, from '${was}' to '${now}'. Nothing was changed: choose again if that is not meant`;
}

/** Removes a member; their sessions, passkeys and invitation end with it. A BadInput says why not. */
export function removeStaff(on: Db, by: Actor, email: string): Promise<void> {
  return retryingTransaction(on, async (trx) => {
    const { id, role, isLastOwner } = await lockedMember(trx, email);
    if (isLastOwner) throw new BadInput(`${email} ${LAST_OWNER}`);
    await trx.deleteFrom("staff").where("id", "=", id).execute();
    await recordChange(trx, { by, action: "staff remove", subject: { kind: "staff", id: email }, before: { role } });
  });
}
