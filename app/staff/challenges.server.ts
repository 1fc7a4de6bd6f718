import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { milliseconds } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

/** `code`: the password was right, and the code is asked for. */
export type Purpose = "sign-in" | "register" | "code";
export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** A random text that is good once and for 5 minutes, in base64url. */
export async function newChallenge(on: Db | Transaction, purpose: Purpose, staffId?: string): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await on
    .insertInto("staffChallenges")
    .values({
      hash: secretHash(challenge),
      purpose,
      staffId: staffId ?? null,
      expiresAt: sql<Date>`now() + ${milliseconds(CHALLENGE_LIFETIME)}`,
    })
    .execute();
  return challenge;
}

/** Whom a challenge is about, without using it up; undefined where it is not good any more. */
export function findChallenge(on: Db | Transaction, purpose: Purpose, challenge: string) {
  return on
    .selectFrom("staffChallenges")
    .select("staffId")
    .where("hash", "=", secretHash(challenge))
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

/** As `findChallenge`, and uses it up: of several at once one wins. */
export function consumeChallenge(on: Db | Transaction, purpose: Purpose, challenge: string) {
  return on
    .deleteFrom("staffChallenges")
    .where("hash", "=", secretHash(challenge))
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("staffId")
    .executeTakeFirst();
}

export async function endChallenges(trx: Transaction, staffId: string): Promise<void> {
  await trx.deleteFrom("staffChallenges").where("staffId", "=", staffId).execute();
}
