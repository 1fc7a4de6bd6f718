import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Db, type Transaction, transact } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { endLinkCodes } from "./link-code.server.ts";
import { fitsPassword, hashPassword, NO_PASSWORD } from "./password.server.ts";
import { endSessions, endStreams, replaceHash, type SignedIn } from "./session.server.ts";

export async function changeName(on: Db, userId: string, name: { firstName: string; lastName: string }): Promise<void> {
  await on
    .updateTable("users")
    .set({ ...name, updatedAt: sql`now()` })
    .where("id", "=", userId)
    .execute();
}

/** Whether the account has a password; who came by Google alone has none. */
export async function hasPassword(on: Db, userId: string): Promise<boolean> {
  return (await hashOf(on, userId)) !== undefined;
}

/** The hash that this password of the account fits, by which a change says later what it relies on; undefined when it is another. */
export async function checkedHash(on: Db, userId: string, password: string): Promise<string | undefined> {
  const hash = (await hashOf(on, userId)) ?? NO_PASSWORD;
  return (await fitsPassword(hash, password)) ? hash : undefined;
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

/**
 * Sets a new password, ends every other session and all links, and tells the owner. False: `current` is wrong, or was set anew while it was looked at.
 */
export async function changePassword(
  on: Db,
  request: Request,
  user: SignedIn,
  { current, next }: { current: string; next: string },
): Promise<boolean> {
  const checked = await checkedHash(on, user.id, current);
  if (!checked) return false;
  const hash = await hashPassword(next);
  const isChanged = await transact(on, async (trx) => {
    if (!(await replaceHash(trx, user.id, checked, hash))) return false;
    await endSessions(trx, user.id, { notOf: request });
    await endLinkCodes(trx, user.id);
    await tellPasswordChanged(trx, user);
    return true;
  });
  if (isChanged) await endStreams(on, user.id);
  return isChanged;
}

/** Queues the mail that lets an owner who did not change the password take the account back. */
export async function tellPasswordChanged(
  trx: Parameters<typeof queueMail>[0],
  { id, email, firstName }: Pick<SignedIn, "id" | "email" | "firstName">,
): Promise<void> {
  await queueMail(trx, {
    key: `password-changed:${id}:${randomUUID()}`,
    recipient: email,
    kind: "password-changed",
    data: { firstName, url: new URL("/forgotPassword", env.publicUrl).href },
  });
}
