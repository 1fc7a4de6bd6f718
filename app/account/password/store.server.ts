import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { NO_PASSWORD, verifyPassword } from "#app/infra/secrets/password-hash.server.ts";

/** Whether the account has a password; who came by Google alone has none. */
export async function hasPassword(on: Db, userId: string): Promise<boolean> {
  return (await hashOf(on, userId)) !== undefined;
}

/** The account's hash when this is its password, so that a later change can say which one it relies on; undefined when it is another. */
export async function checkedHash(on: Db, userId: string, password: string): Promise<string | undefined> {
  const hash = (await hashOf(on, userId)) ?? NO_PASSWORD;
  return (await verifyPassword(hash, password)) ? hash : undefined;
}

/** The account's hash, which nobody changes until the transaction ends; the caller has locked the user. */
export async function lockedHash(trx: Transaction, userId: string): Promise<string | undefined> {
  await sql`select from accounts where user_id = ${userId} for update`.execute(trx);
  return hashOf(trx, userId);
}

async function hashOf(on: Db | Transaction, userId: string): Promise<string | undefined> {
  const row = await on
    .selectFrom("accounts")
    .select("password")
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? undefined;
}

/** Writes a hash over the one that a password was checked against. False: that one no longer stands. */
export async function replaceHash(
  on: Db | Transaction,
  userId: string,
  checked: string,
  password: string,
): Promise<boolean> {
  const { numUpdatedRows } = await on
    .updateTable("accounts")
    .set({ password, updatedAt: sql`now()` })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("password", "=", checked)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Sets the account's password; `hash` by `hashPassword`. */
export async function savePassword(on: Db | Transaction, userId: string, hash: string): Promise<void> {
  await on
    .insertInto("accounts")
    .values({ userId, accountId: userId, providerId: "credential", password: hash })
    .onConflict((conflict) =>
      conflict.columns(["providerId", "accountId"]).doUpdateSet({ password: hash, updatedAt: sql`now()` }),
    )
    .execute();
}
