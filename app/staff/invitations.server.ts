import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { cleanName } from "#app/infra/text/person-name.ts";
import { columnsOf, findRole, roleOf } from "./own-roles.server.ts";

const LIFETIME = 7 * DAY;

/** `url` contains the code, which is not stored anywhere else. `expiresAt` is in ISO 8601. */
export type Invitation = { email: string; role: string; url: string; expiresAt: string };

/**
 * Invites a new member by mail, or a member who has lost every way to sign in. Accepting replaces all existing ways to
 * sign in. The link of an earlier invitation becomes invalid. Throws a BadInput if the invitation is not possible.
 */
export async function inviteStaff(
  on: Db,
  by: Actor,
  given: { email: string; role: string; name?: string },
): Promise<Invitation> {
  const email = normalizeEmail(given.email);
  const { role } = given;
  const name = cleanName(given.name ?? "").trim();
  if (!isEmail(email)) throw new BadInput(`'${given.email}' isn't an email address`);
  if (!env.officeUrl) throw new BadInput("OFFICE_URL: the office is off until it is set, so there is nothing to open");
  const code = randomBytes(24).toString("base64url");
  const url = new URL(`/invitation?code=${code}`, env.officeUrl).href;
  const expiresAt = await retryingTransaction(on, async (trx) => {
    const wanted = await findRole(trx, role);
    const known = await trx
      .selectFrom("staff")
      .select(["role", "ownRole"])
      .where("email", "=", email)
      .forUpdate()
      .executeTakeFirst();
    const before = known && roleOf({ ...known, permissions: null }).name;
    if (before !== undefined && before !== role)
      throw new BadInput(`${email} has the role '${before}' already: 'staff role ${email} ${role}' changes it`);
    const { id } = await trx
      .insertInto("staff")
      .values({ email, name, ...columnsOf(wanted) })
      .onConflict((conflict) =>
        conflict.column("email").doUpdateSet({ name: sql`case when ${name} = '' then staff.name else ${name} end` }),
      )
      .returning("id")
      .executeTakeFirstOrThrow();
    const invitation = { codeHash: secretHash(code), expiresAt: sql<Date>`now() + ${millisecondsSql(LIFETIME)}` };
    const { expiresAt } = await trx
      .insertInto("staffInvitations")
      .values({ staffId: id, ...invitation })
      .onConflict((conflict) => conflict.column("staffId").doUpdateSet(invitation))
      .returning("expiresAt")
      .executeTakeFirstOrThrow();
    await queueMail(trx, {
      key: `staff-invitation:${invitation.codeHash.toString("hex")}`,
      recipient: email,
      kind: "staff-invitation",
      data: { url, role, says: wanted.says, name },
    });
    await recordChange(trx, { by, action: "staff invite", subject: { kind: "staff", id: email }, after: { role } });
    return expiresAt;
  });
  return { email, role, url, expiresAt: expiresAt.toISOString() };
}

/**
 * The member that an invitation is for, without using it up. Undefined if the invitation is unknown, expired, used or
 * replaced by a newer one.
 */
export async function findInvitation(on: Db, code: string) {
  const found = await on
    .selectFrom("staffInvitations")
    .innerJoin("staff", "staff.id", "staffId")
    .leftJoin("staffRoles", "staffRoles.name", "ownRole")
    .select(["staff.id", "email", "staff.name", "role", "ownRole", "permissions"])
    .where("codeHash", "=", secretHash(code))
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
  if (!found) return;
  const { role, ownRole, permissions, ...member } = found;
  return { ...member, role: roleOf({ role, ownRole, permissions }) };
}
