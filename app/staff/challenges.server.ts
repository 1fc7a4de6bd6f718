import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { millisecondsSql } from "#app/infra/database/statement.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

/** `code`: the password was right, and the one-time code is still missing. */
export type Purpose = "sign-in" | "register" | "code";
export const CHALLENGE_LIFETIME = 5 * MINUTE;

/** A random base64url text that is valid once, for 5 minutes. */
export async function newChallenge(on: Db | Transaction, purpose: Purpose, staffId?: string): Promise<string> {
  const challenge = randomBytes(32).toString("base64url");
  await on
    .insertInto("staffChallenges")
    .values({
      hash: secretHash(challenge),
      purpose,
      staffId: staffId ?? null,
      expiresAt: sql<Date>`now() + ${millisecondsSql(CHALLENGE_LIFETIME)}`,
    })
    .execute();
  return challenge;
}

/** The member that a challenge was made for. Does not use the challenge up. Undefined if it is invalid. */
export function findChallenge(on: Db | Transaction, purpose: Purpose, challenge: string) {
  return on
    .selectFrom("staffChallenges")
    .select("staffId")
    .where("hash", "=", secretHash(challenge))
    .where("purpose", "=", purpose)
    .where("expiresAt", ">", sql<Date>`now()`)
    .executeTakeFirst();
}

/** The same as `findChallenge`, but uses the challenge up. Only one of several simultaneous requests gets it. */
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
