import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { NO_PASSWORD, verifyPassword } from "#app/infra/secrets/password-hash.server.ts";

/** Whether the account has a password. An account that only ever signed in with Google has none. */
export async function hasPassword(on: Db, userId: string): Promise<boolean> {
  return (await hashOf(on, userId)) !== undefined;
}

/**
 * The account's hash if the password is right, otherwise undefined. Later changes compare the hash to detect that the
 * password was changed meanwhile.
 */
export async function checkedHash(on: Db, userId: string, password: string): Promise<string | undefined> {
  const hash = (await hashOf(on, userId)) ?? NO_PASSWORD;
  return (await verifyPassword(hash, password)) ? hash : undefined;
}

/** The account's hash, locked until the transaction ends. The caller must have locked the user. */
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

/** Replaces the hash `checked` by a new one. Returns false if the account has another hash by now. */
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

/**
 * The account's hash if it is not proved, locked as by `lockedHash`. Undefined if there is no password or it is proved.
 */
export async function unprovedHash(trx: Transaction, userId: string): Promise<string | undefined> {
  const hash = await lockedHash(trx, userId);
  const proved = trx
    .selectFrom("accounts")
    .select("userId")
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .where("proved", "=", true);
  return (await proved.executeTakeFirst()) ? undefined : hash;
}

/** Marks the password as proved: the person who knows it has shown that they also read the account's mails. */
export async function provePassword(trx: Transaction, userId: string): Promise<void> {
  await trx
    .updateTable("accounts")
    .set({ proved: true })
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .execute();
}

/** Removes the account's password. */
export async function removePassword(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom("accounts").where("userId", "=", userId).where("providerId", "=", "credential").execute();
}

/** Sets the account's password. `hash` comes from `hashPassword`. */
export async function savePassword(on: Db | Transaction, userId: string, hash: string): Promise<void> {
  await on
    .insertInto("accounts")
    .values({ userId, accountId: userId, providerId: "credential", password: hash })
    .onConflict((conflict) =>
      conflict.columns(["providerId", "accountId"]).doUpdateSet({ password: hash, updatedAt: sql`now()` }),
    )
    .execute();
}
