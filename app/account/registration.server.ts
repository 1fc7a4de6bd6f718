import { randomUUID } from "node:crypto";
import { consumeLinkCode, keepLinkCode, type LinkState, newLinkCode } from "#app/account/link/code.server.ts";
import { savePassword } from "#app/account/password/store.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { eraseRecipients, queueMail } from "#app/infra/mail.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";

export type NewAccount = { firstName: string; lastName: string; email: string; password: string };

/** Not ok: there is an account with this address, which stays as it is. */
export type Registered = { ok: true; userId: string } | { ok: false };

/** Makes the account, unverified, and queues its mail in the same transaction; `email` is normalized. */
export async function register(on: Db, { firstName, lastName, email, password }: NewAccount): Promise<Registered> {
  const hash = await hashPassword(password); // also for a known address: equal time
  return retryingTransaction(on, async (trx) => {
    const user = await trx
      .insertInto("users")
      .values({ id: randomUUID(), email, firstName, lastName })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .returning(["id", "email"])
      .executeTakeFirst();
    if (!user) return { ok: false };
    await savePassword(trx, user.id, hash);
    await queueVerification(trx, user, randomUUID());
    return { ok: true, userId: user.id };
  });
}

/** Nothing that was typed stands in this mail: whoever typed it may be a stranger to whoever reads it. */
async function queueVerification(
  trx: Transaction,
  user: { id: string; email: string },
  requestId: string,
): Promise<void> {
  const code = newLinkCode();
  const url = new URL(`/verification?oobCode=${code}`, env.publicUrl).href;
  const isNew = await queueMail(trx, {
    key: `verify:${user.id}:${requestId}`,
    recipient: user.email,
    kind: "verify-email",
    data: { url, disownUrl: `${url}&disown` },
  });
  if (isNew) await keepLinkCode(trx, user.id, "verify", code);
}

/** Queues the verification mail again where there is something to verify, once for each request. */
export async function sendVerificationLink(on: Db, email: string, requestId: string): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["id", "email"])
      .where("email", "=", email)
      .where("emailVerified", "=", false)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (user) await queueVerification(trx, user, requestId);
  });
}

export type Verified = { ok: true } | { ok: false; why: LinkState };

/** Applies the code of a verification mail. */
export async function verifyEmail(on: Db, code: string): Promise<Verified> {
  return retryingTransaction(on, async (trx) => {
    const used = await consumeLinkCode(trx, code, "verify");
    if (!used.ok) return used;
    await trx
      .updateTable("users")
      .set({ emailVerified: true, updatedAt: new Date() })
      .where("id", "=", used.userId)
      .execute();
    return { ok: true };
  });
}

/** Removes an account that somebody else made with the address of who got the mail, and that address from all mails to it; an account that is verified stays. */
export async function disownAccount(on: Db, code: string): Promise<Verified> {
  return retryingTransaction(on, async (trx) => {
    const used = await consumeLinkCode(trx, code, "verify");
    if (!used.ok) return used;
    const removed = await trx
      .deleteFrom("users")
      .where("id", "=", used.userId)
      .where("emailVerified", "=", false)
      .returning("email")
      .execute();
    for (const { email } of removed) await eraseRecipients(trx, email);
    return { ok: true };
  });
}
