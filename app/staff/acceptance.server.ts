import { sql } from "kysely";
import { recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";
import { cleanName } from "#app/infra/text/person-name.ts";
import { endChallenges } from "./challenges.server.ts";
import { findInvitation } from "./invitations.server.ts";
import { checkNewPasskey, savePasskey } from "./passkeys.server.ts";
import { type NewPassword, readNewPassword, savePassword } from "./password.server.ts";
import { renewRecoveryCodes } from "./recovery.server.ts";
import { actorOf, beginSession, endSessions } from "./sessions.server.ts";

/** The way in which the new member will sign in. `passkey` is the JSON of the browser that created it. */
export type Acceptance = { name: string } & ({ passkey: string } | NewPassword);
export type Accepted =
  | { ok: true; cookies: string[]; recoveryCodes: string[] }
  /** `gone`: the invitation is no longer valid. `wrong`: the passkey or the code is invalid. */
  | { ok: false; why: "gone" | "wrong" };

/**
 * Accepts an invitation: replaces all of the member's ways to sign in and sessions, and signs in. Only one of several
 * simultaneous requests succeeds. The recovery codes must be shown at once, as only their hashes are stored.
 */
export async function acceptInvitation(on: Db, request: Request, code: string, given: Acceptance): Promise<Accepted> {
  const gone = { ok: false, why: "gone" } as const;
  const wrong = { ok: false, why: "wrong" } as const;
  const invited = await findInvitation(on, code);
  if (!invited) return gone;
  const passkey = "passkey" in given ? await checkNewPasskey(on, invited.id, given.passkey) : undefined;
  const password = "passkey" in given ? undefined : await readNewPassword(given);
  if (!passkey && !password) return wrong;
  return retryingTransaction(on, async (trx): Promise<Accepted> => {
    const used = await trx
      .deleteFrom("staffInvitations")
      .where("codeHash", "=", secretHash(code))
      .returning("staffId")
      .executeTakeFirst();
    if (!used) return gone;
    const name = cleanName(given.name).trim();
    const staff = await trx
      .updateTable("staff")
      .set({ name, password: null, totpSecret: null, joinedAt: sql`coalesce(joined_at, now())` })
      .where("id", "=", used.staffId)
      .returning(["id", "email"])
      .executeTakeFirstOrThrow();
    const by = actorOf(staff);
    await trx.deleteFrom("staffPasskeys").where("staffId", "=", staff.id).execute();
    await endSessions(trx, by, staff, "all");
    await endChallenges(trx, staff.id);
    if (passkey) await savePasskey(trx, request, staff, passkey);
    if (password) await savePassword(trx, staff.id, password);
    const recoveryCodes = await renewRecoveryCodes(trx, staff.id);
    const after = { name, by: passkey ? "passkey" : "password" };
    await recordChange(trx, { by, action: "staff accept", subject: { kind: "staff", id: staff.email }, after });
    return { ok: true, recoveryCodes, cookies: await beginSession(trx, request, staff.id) };
  });
}
