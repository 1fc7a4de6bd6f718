import {
  type ConsumedCode,
  consumeLinkCode,
  endLinkCodes,
  keepLinkCode,
  newLinkCode,
} from "#app/account/link/code.server.ts";
import { endSessions, endStreams } from "#app/account/session/store.server.ts";
import { tellPasswordChanged } from "#app/account/settings/change.server.ts";
import { type Db, retryingTransaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { savePassword } from "./store.server.ts";

/** Queues the reset mail where the address is known, once for each request. A name stands in it only where its owner has given it. */
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

/** Sets the new password, ends every session, voids open codes and tells the owner. Whoever got the mail has proved the mailbox. */
export async function resetPassword(on: Db, code: string, password: string): Promise<ConsumedCode> {
  const hash = await hashPassword(password);
  const used = await retryingTransaction(on, async (trx) => {
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
    await endSessions(trx, userId, "all");
    await endLinkCodes(trx, userId);
    await tellPasswordChanged(trx, { id: userId, email, firstName: emailVerified ? firstName : "" });
    return used;
  });
  if (used.ok) await endStreams(on, used.userId);
  return used;
}
