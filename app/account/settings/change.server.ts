import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { endLinkCodes } from "#app/account/link/code.server.ts";
import { checkedHash, replaceHash } from "#app/account/password/store.server.ts";
import { endSessions, endStreams, type SignedIn } from "#app/account/session/store.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";

/** Sets the names that the shopper has chosen. Later sign-ins with Google do not change them. Safe to repeat. */
export async function changeName(on: Db, userId: string, name: { firstName: string; lastName: string }): Promise<void> {
  await on
    .updateTable("users")
    .set({ ...name, namesChangedAt: sql`now()`, updatedAt: sql`now()` })
    .where("id", "=", userId)
    .execute();
}

/**
 * Sets a new password, ends every other session and all links, and informs the owner by mail. Returns false if
 * `current` is wrong or the password was changed during the check.
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
  const isChanged = await retryingTransaction(on, async (trx) => {
    if (!(await replaceHash(trx, user.id, checked, hash))) return false;
    await endSessions(trx, user.id, { notOf: request });
    await endLinkCodes(trx, user.id);
    await tellPasswordChanged(trx, user);
    return true;
  });
  if (isChanged) await endStreams(on, user.id);
  return isChanged;
}

/** Queues a mail about the changed password. An owner who did not change it can reset it by the link in the mail. */
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
