import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Db, transact } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { fitsPassword, hashPassword, NO_PASSWORD } from "./password.server.ts";
import { endSessions, endStreams, keepPassword, type SignedIn } from "./session.server.ts";

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

export async function isPasswordOf(on: Db, userId: string, password: string): Promise<boolean> {
  return fitsPassword((await hashOf(on, userId)) ?? NO_PASSWORD, password);
}

async function hashOf(on: Db, userId: string): Promise<string | undefined> {
  const row = await on
    .selectFrom("accounts")
    .select("password")
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? undefined;
}

/** Sets a new password, ends every other session, voids a reset link that is under way and tells the owner. False: `current` is wrong. */
export async function changePassword(
  on: Db,
  request: Request,
  user: SignedIn,
  { current, next }: { current: string; next: string },
): Promise<boolean> {
  if (!(await isPasswordOf(on, user.id, current))) return false;
  const hash = await hashPassword(next);
  await transact(on, async (trx) => {
    await keepPassword(trx, user.id, hash);
    await endSessions(trx, user.id, { notOf: request });
    await trx.deleteFrom("linkCodes").where("userId", "=", user.id).execute();
    await tellPasswordChanged(trx, user);
  });
  await endStreams(on, user.id);
  return true;
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
