import { randomInt } from "node:crypto";
import { sql } from "kysely";
import { recordChange } from "#app/infra/audit.server.ts";
import { type Db, db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import type { Resting, Wrong } from "./refusals.ts";
import { actorOf, beginSession, type SignedIn } from "./sessions.server.ts";
import { takeSignInTry } from "./tries.server.ts";

const RECOVERY_CODES = 10;
/**
 * Letters and digits that cannot be mistaken for each other. 28 of them have 140 bits of entropy: enough to store a
 * code as a plain hash.
 */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";

function newCode(): string {
  const letters = Array.from({ length: 28 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return letters.replace(/(.{4})(?=.)/g, "$1-");
}

/** The hash of a code, whatever its case, separators and confusable letters. */
function hashOf(code: string): Buffer {
  const letters = code.toLowerCase().replace(/[^a-z0-9]/g, "");
  return secretHash(letters.replaceAll("o", "0").replace(/[il]/g, "1"));
}

/** Replaces a member's recovery codes. They must be shown at once, as only their hashes are stored. */
export async function renewRecoveryCodes(trx: Transaction, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await trx.deleteFrom("staffRecoveryCodes").where("staffId", "=", staffId).execute();
  await trx
    .insertInto("staffRecoveryCodes")
    .values(codes.map((code) => ({ staffId, codeHash: hashOf(code) })))
    .execute();
  return codes;
}

/** The same as `renewRecoveryCodes`, requested by the member and recorded in the audit log. */
export function newRecoveryCodes(on: Db, staff: { id: string; email: string }): Promise<string[]> {
  return retryingTransaction(on, async (trx) => {
    const codes = await renewRecoveryCodes(trx, staff.id);
    const subject = { kind: "staff", id: staff.email };
    await recordChange(trx, { by: actorOf(staff), action: "staff recovery codes", subject });
    return codes;
  });
}

export async function countRecoveryCodes(on: Db, staffId: string): Promise<number> {
  const { count } = await on
    .selectFrom("staffRecoveryCodes")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("staffId", "=", staffId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Signs in with a recovery code and uses it up. `email` must be normalized. */
export async function signInWithRecoveryCode(
  request: Request,
  email: string,
  code: string,
): Promise<SignedIn | Wrong | Resting> {
  const tried = await takeSignInTry(db(), request, "recovery code", email);
  if (!tried.ok) return tried;
  const cookies = await retryingTransaction(db(), async (trx) => {
    const used = await trx
      .deleteFrom("staffRecoveryCodes")
      .using("staff")
      .whereRef("staff.id", "=", "staffId")
      .where("email", "=", email)
      .where("codeHash", "=", hashOf(code))
      .returning("staffId")
      .executeTakeFirst();
    if (!used) return;
    const subject = { kind: "staff", id: email };
    await recordChange(trx, { by: actorOf({ email }), action: "staff recovery code used", subject });
    return beginSession(trx, request, used.staffId);
  });
  if (!cookies) return tried.wrong;
  await tried.wasRight();
  return { ok: true, cookies, email };
}
