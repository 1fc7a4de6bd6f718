import { randomUUID } from "node:crypto";
import { type Db, transact } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { newLinkCode, useLinkCode } from "./link-code.server.ts";
import { hashPassword } from "./password.server.ts";
import { endSessions, endStreams, keepPassword } from "./session.server.ts";
import { tellPasswordChanged } from "./settings.server.ts";

/** Queues the reset mail when the address is known; the caller answers the same either way. */
export async function requestReset(on: Db, email: string): Promise<void> {
  await transact(on, async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["id", "email", "firstName"])
      .where("email", "=", email)
      .executeTakeFirst();
    if (!user) return;
    const code = await newLinkCode(trx, user.id, "reset");
    const url = new URL(`/resetPassword?oobCode=${code}`, env.publicUrl).href;
    await queueMail(trx, {
      key: `reset:${user.id}:${randomUUID()}`,
      recipient: user.email,
      kind: "reset-password",
      data: { firstName: user.firstName, url },
    });
  });
}

/** Sets the new password, ends every session, voids open codes and tells the owner. Whoever got the mail has proved the mailbox. */
export async function resetPassword(on: Db, code: string, password: string): Promise<{ ok: boolean }> {
  const hash = await hashPassword(password);
  const userId = await transact(on, async (trx) => {
    const used = await useLinkCode(trx, code, "reset");
    if (!used.ok) return undefined;
    const { userId } = used;
    const user = await trx
      .updateTable("users")
      .set({ emailVerified: true, updatedAt: new Date() })
      .where("id", "=", userId)
      .returning(["email", "firstName"])
      .executeTakeFirstOrThrow();
    await keepPassword(trx, userId, hash);
    await endSessions(trx, userId, "all");
    await trx.deleteFrom("linkCodes").where("userId", "=", userId).where("purpose", "=", "verify").execute();
    await tellPasswordChanged(trx, { id: userId, ...user });
    return userId;
  });
  if (userId) await endStreams(on, userId);
  return { ok: userId !== undefined };
}
