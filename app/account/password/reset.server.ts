import {
  type ConsumedCode,
  consumeLinkCode,
  endLinkCodes,
  keepLinkCode,
  newLinkCode,
} from "#app/account/link/code.server.ts";
import { markDevice } from "#app/account/session/known-device.server.ts";
import { forgetWrongPasswords } from "#app/account/session/sign-in-guard.server.ts";
import { endSessions, endStreams } from "#app/account/session/store.server.ts";
import { tellPasswordChanged } from "#app/account/settings/change.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { claimForAddress } from "#app/orders/claim/claim.server.ts";
import { provePassword, savePassword } from "./store.server.ts";

/**
 * Queues a reset mail if an account has the address, once per `requestId`. The mail contains the first name only if the
 * address is verified, since a stranger may have entered the name.
 */
export async function sendResetLink(on: Db, email: string, requestId: string): Promise<void> {
  await retryingTransaction(on, async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["id", "email", "firstName", "emailVerified"])
      .where("email", "=", email)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!user) return;
    const code = newLinkCode();
    const url = new URL(`/resetPassword?oobCode=${code}`, env.publicUrl).href;
    const isNew = await queueMail(trx, {
      key: `reset:${user.id}:${requestId}`,
      recipient: user.email,
      kind: "reset-password",
      data: { firstName: user.emailVerified ? user.firstName : "", url },
    });
    if (isNew) await keepLinkCode(trx, user.id, "reset", code);
  });
}

export type PasswordReset =
  | { ok: true; userId: string; email: string; cookie: string }
  | Extract<ConsumedCode, { ok: false }>;

/**
 * Sets the new password, ends every session and all open codes, and informs the owner by mail. The link has proved that
 * the shopper reads the account's mails: the cookie therefore marks the device as known, and earlier wrong passwords
 * are forgotten.
 */
export async function resetPassword(on: Db, code: string, password: string): Promise<PasswordReset> {
  const hash = await hashPassword(password);
  const done = await retryingTransaction(on, async (trx): Promise<PasswordReset> => {
    const used = await consumeLinkCode(trx, code, "reset");
    if (!used.ok) return used;
    const { userId } = used;
    const { email, firstName, emailVerified } = await trx
      .selectFrom("users")
      .select(["email", "firstName", "emailVerified"])
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    await trx
      .updateTable("users")
      .set({ emailVerified: true, updatedAt: new Date() })
      .where("id", "=", userId)
      .execute();
    await savePassword(trx, userId, hash);
    await provePassword(trx, userId);
    await endSessions(trx, userId, "all");
    await endLinkCodes(trx, userId);
    await claimForAddress(trx, userId);
    await tellPasswordChanged(trx, { id: userId, email, firstName: emailVerified ? firstName : "" });
    return { ...used, email, cookie: await markDevice(trx, userId) };
  });
  if (!done.ok) return done;
  await endStreams(on, done.userId);
  await forgetWrongPasswords(on, done.email);
  return done;
}
