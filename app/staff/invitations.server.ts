import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { BadInput } from "#app/infra/bad-input.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { isEmail, normalizeEmail } from "#app/infra/email-address.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { cleanName } from "#app/infra/person-name.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import type { Role } from "./roles.ts";

const LIFETIME = 7 * DAY;

/** `url` holds the code, which is kept nowhere else; `expiresAt` as ISO 8601. */
export type Invitation = { email: string; role: Role; url: string; expiresAt: string };

/**
 * Invites somebody, or a member again who has lost every way to sign in: accepted, the new ways take the place of the old. The link of an earlier
 * invitation is void. It is mailed, too. A BadInput says why not.
 */
export async function inviteStaff(
  on: Db,
  by: Actor,
  given: { email: string; role: Role; name?: string },
): Promise<Invitation> {
  const email = normalizeEmail(given.email);
  const { role } = given;
  const name = cleanName(given.name ?? "").trim();
  if (!isEmail(email)) throw new BadInput(`'${given.email}' is no email address`);
  if (!env.officeUrl) throw new BadInput("OFFICE_URL: the office is off until it is set, so there is nothing to open");
  const code = randomBytes(24).toString("base64url");
  const url = new URL(`/invitation?code=${code}`, env.officeUrl).href;
  const expiresAt = await retryingTransaction(on, async (trx) => {
    const known = await trx
      .selectFrom("staff")
      .select("role")
      .where("email", "=", email)
      .forUpdate()
      .executeTakeFirst();
    if (known && known.role !== role)
      throw new BadInput(`${email} has the role '${known.role}' already: 'staff role ${email} ${role}' changes it`);
    const { id } = await trx
      .insertInto("staff")
      .values({ email, role, name })
      .onConflict((conflict) =>
        conflict.column("email").doUpdateSet({ name: sql`case when ${name} = '' then staff.name else ${name} end` }),
      )
      .returning("id")
      .executeTakeFirstOrThrow();
    const invitation = { codeHash: secretHash(code), expiresAt: sql<Date>`now() + ${milliseconds(LIFETIME)}` };
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
      data: { url, role, name },
    });
    await recordChange(trx, { by, action: "staff invite", subject: { kind: "staff", id: email }, after: { role } });
    return expiresAt;
  });
  return { email, role, url, expiresAt: expiresAt.toISOString() };
}

/** Whom an invitation is for; undefined where it is unknown, expired, used, or a newer one has been sent. Uses nothing up. */
export function findInvitation(on: Db, code: string) {
  return on
    .selectFrom("staffInvitations")
    .innerJoin("staff", "staff.id", "staffId")
    .select(["staff.id", "email", "name", "role"])
    .where("codeHash", "=", secretHash(code))
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
}
