import { sql } from "kysely";
import { recordChange } from "#app/infra/audit.server.ts";
import { type Db, db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { hashPassword, NO_PASSWORD, verifyPassword } from "#app/infra/secrets/password-hash.server.ts";
import {
  CHALLENGE_LIFETIME,
  consumeChallenge,
  endChallenges,
  findChallenge,
  newChallenge,
} from "./challenges.server.ts";
import { CODE_COOKIE, officeCookie, readOfficeCookie } from "./cookies.server.ts";
import type { Expired, Resting, Wrong } from "./refusals.ts";
import { actorOf, beginSession, endSessions, type SignedIn } from "./sessions.server.ts";
import { totpStep } from "./totp.server.ts";
import { takeSignInTry } from "./tries.server.ts";

/**
 * The first of two steps. The cookies hold a sign-in that still needs the one-time code. An unknown address, a member
 * without a password and a wrong password get the same response after the same time. `email` must be normalized.
 */
export async function checkPassword(
  request: Request,
  email: string,
  password: string,
): Promise<{ ok: true; cookies: string[] } | Wrong | Resting> {
  const tried = await takeSignInTry(db(), request, "password", email);
  if (!tried.ok) return tried;
  const staff = await db().selectFrom("staff").select(["id", "password"]).where("email", "=", email).executeTakeFirst();
  const isRight = await verifyPassword(staff?.password ?? NO_PASSWORD, password);
  if (!staff?.password || !isRight) return tried.wrong;
  const { id, password: checked } = staff;
  const challenge = await retryingTransaction(db(), async (trx) => {
    const now = await locked(trx, id);
    return now?.password === checked ? newChallenge(trx, "code", id) : undefined;
  });
  if (!challenge) return tried.wrong;
  await tried.wasRight();
  return { ok: true, cookies: [officeCookie(CODE_COOKIE, challenge, CHALLENGE_LIFETIME)] };
}

/** The second step: the one-time code. A code is valid once, and no older code is accepted after it. */
export async function checkCode(request: Request, code: string): Promise<SignedIn | Wrong | Resting | Expired> {
  const challenge = readOfficeCookie(request, CODE_COOKIE) ?? "";
  const found = await findChallenge(db(), "code", challenge);
  if (!found?.staffId) return { ok: false, why: "expired" };
  const { staffId } = found;
  const tried = await takeSignInTry(db(), request, "code", staffId);
  if (!tried.ok) return tried;
  const answer = await retryingTransaction(db(), async (trx): Promise<SignedIn | Wrong | Expired> => {
    const staff = await locked(trx, staffId);
    if (!staff?.totpSecret) return { ok: false, why: "expired" };
    const step = totpStep(staff.totpSecret, code);
    if (step === undefined || step <= staff.totpStep) return tried.wrong;
    if (!(await consumeChallenge(trx, "code", challenge))) return { ok: false, why: "expired" };
    await trx.updateTable("staff").set({ totpStep: step }).where("id", "=", staffId).execute();
    return { ok: true, cookies: await beginSession(trx, request, staffId), email: staff.email };
  });
  if (answer.ok) await tried.wasRight();
  return answer;
}

/** Whether the request belongs to a sign-in that still needs its code. */
export async function awaitsCode(request: Request): Promise<boolean> {
  const challenge = readOfficeCookie(request, CODE_COOKIE);
  return challenge !== undefined && (await findChallenge(db(), "code", challenge)) !== undefined;
}

function locked(trx: Transaction, staffId: string) {
  return trx
    .selectFrom("staff")
    .select(["email", "password", "totpSecret", "totpStep"])
    .where("id", "=", staffId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** A password, and the secret shown to the member's phone with a code that proves it was stored there. */
export type NewPassword = { password: string; secret: string; code: string };

/** Undefined if the code does not match the secret. */
export async function readNewPassword({ password, secret, code }: NewPassword) {
  const step = totpStep(secret, code);
  return step === undefined ? undefined : { hash: await hashPassword(password), secret, step };
}
export type ReadPassword = NonNullable<Awaited<ReturnType<typeof readNewPassword>>>;

/** Saves the password and the secret. Sign-ins that have passed the password step are ended. */
export async function savePassword(trx: Transaction, staffId: string, { hash, secret, step }: ReadPassword) {
  await trx
    .updateTable("staff")
    .set({ password: hash, totpSecret: secret, totpStep: step })
    .where("id", "=", staffId)
    .execute();
  await endChallenges(trx, staffId);
}

export async function hasPassword(on: Db, staffId: string): Promise<boolean> {
  const row = await on
    .selectFrom("staff")
    .select("id")
    .where("id", "=", staffId)
    .where("password", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Sets a member's password and secret, and ends all their other sessions. Returns false, and does nothing, if the code
 * does not match.
 */
export async function setPassword(
  on: Db,
  request: Request,
  staff: { id: string; email: string },
  given: NewPassword,
): Promise<boolean> {
  const read = await readNewPassword(given);
  if (!read) return false;
  await retryingTransaction(on, async (trx) => {
    await savePassword(trx, staff.id, read);
    await endSessions(trx, actorOf(staff), staff, { notOf: request });
    const subject = { kind: "staff", id: staff.email };
    await recordChange(trx, { by: actorOf(staff), action: "staff password", subject });
  });
  return true;
}

/** Removes the password of a member, who then signs in by passkey only. Returns false if the member has no passkey. */
export function removePassword(on: Db, staff: { id: string; email: string }): Promise<boolean> {
  return retryingTransaction(on, async (trx) => {
    await locked(trx, staff.id);
    const removed = await trx
      .updateTable("staff")
      .set({ password: null, totpSecret: null })
      .where("id", "=", staff.id)
      .where("password", "is not", null)
      .where(sql<boolean>`exists (select from staff_passkeys where staff_id = staff.id)`)
      .returning("id")
      .executeTakeFirst();
    if (!removed) return false;
    await endChallenges(trx, staff.id);
    const subject = { kind: "staff", id: staff.email };
    await recordChange(trx, { by: actorOf(staff), action: "staff password remove", subject });
    return true;
  });
}
