import { randomUUID } from "node:crypto";
import { consumeLinkCode, keepLinkCode, type LinkState, newLinkCode } from "#app/account/link/code.server.ts";
import { savePassword } from "#app/account/password/store.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { eraseRecipients, queueMail } from "#app/infra/mail.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";

export type NewAccount = { firstName: string; lastName: string; email: string; password: string };

/** Not ok: an account with this address exists and stays unchanged. */
export type Registered = { ok: true; userId: string } | { ok: false };

/**
 * Creates an unverified account and queues its mail in the same transaction. `email` is normalized; `browser` is the
 * hash of the browser's secret (link/registering-browser.server.ts).
 */
export async function register(
  on: Db,
  { firstName, lastName, email, password }: NewAccount,
  browser: Buffer | null = null,
): Promise<Registered> {
  const hash = await hashPassword(password); // also for a known address, so that the time is the same
  return retryingTransaction(on, async (trx) => {
    const user = await trx
      .insertInto("users")
      .values({ id: randomUUID(), email, firstName, lastName, registeredIn: browser })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .returning(["id", "email"])
      .executeTakeFirst();
    if (!user) return { ok: false };
    await savePassword(trx, user.id, hash);
    await queueVerification(trx, user, randomUUID());
    return { ok: true, userId: user.id };
  });
}

/** The mail contains nothing from the form: its sender may be a stranger to the owner of the address. */
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

/** Queues another verification mail if the account is unverified, once per `requestId`. */
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

/**
 * Sends a mail to an address that was registered again: the account exists, or how to verify it. Used for networks that
 * have tried many addresses, whose responses must not tell which addresses are known.
 */
export async function mailRegistered(on: Db, email: string): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["id", "email", "emailVerified"])
      .where("email", "=", email)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) return;
    if (!user.emailVerified) return queueVerification(trx, user, randomUUID());
    await queueMail(trx, {
      key: `registered:${user.id}:${randomUUID()}`,
      recipient: user.email,
      kind: "already-registered",
      data: {
        url: new URL("/login", env.publicUrl).href,
        resetUrl: new URL("/forgotPassword", env.publicUrl).href,
      },
    });
  });
}

export type Disowned = { ok: true; userId?: undefined } | { ok: false; why: LinkState };

/**
 * Deletes an unverified account that a stranger registered with the address of the mail's reader, and erases the
 * address from all mails to it. A verified account stays.
 */
export async function disownAccount(on: Db, code: string): Promise<Disowned> {
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
