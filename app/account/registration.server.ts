import { randomUUID } from "node:crypto";
import { type Db, type Transaction, transact } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { newLinkCode, useLinkCode } from "./link-code.server.ts";
import { hashPassword } from "./password.server.ts";
import { keepPassword } from "./session.server.ts";

export type NewAccount = { firstName: string; lastName: string; email: string; password: string };

/** Makes the account, unverified, and queues its mail in the same transaction. `email` is folded already. */
export async function register(on: Db, { firstName, lastName, email, password }: NewAccount): Promise<{ ok: boolean }> {
  const hash = await hashPassword(password); // also for a known address: equal time
  return transact(on, async (trx) => {
    const user = await trx
      .insertInto("users")
      .values({ id: randomUUID(), email, firstName, lastName })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .returning(["id", "firstName", "lastName", "email"])
      .executeTakeFirst();
    if (!user) return { ok: false };
    await keepPassword(trx, user.id, hash);
    await queueVerification(trx, user);
    return { ok: true };
  });
}

type Addressee = { id: string; email: string; firstName: string; lastName: string };

async function queueVerification(trx: Transaction, user: Addressee): Promise<void> {
  const code = await newLinkCode(trx, user.id, "verify");
  const url = new URL(`/verification?oobCode=${code}`, env.publicUrl).href;
  await queueMail(trx, {
    key: `verify:${user.id}:${randomUUID()}`,
    recipient: user.email,
    kind: "verify-email",
    data: {
      firstName: user.firstName,
      url,
      name: `${user.firstName} ${user.lastName}`.trim(),
      disownUrl: `${url}&disown`,
    },
  });
}

/** Sends the verification mail again where there is something to verify; says nothing about whether there was. */
export async function resendVerification(on: Db, email: string): Promise<void> {
  await transact(on, async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select(["id", "email", "firstName", "lastName"])
      .where("email", "=", email)
      .where("emailVerified", "=", false)
      .executeTakeFirst();
    if (user) await queueVerification(trx, user);
  });
}

export type Verified = { ok: true } | { ok: false; why: "used" | "unknown" };

/** Applies the code of a verification mail. */
export async function verifyEmail(on: Db, code: string): Promise<Verified> {
  return transact(on, async (trx) => {
    const used = await useLinkCode(trx, code, "verify");
    if (!used.ok) return used;
    await trx
      .updateTable("users")
      .set({ emailVerified: true, updatedAt: new Date() })
      .where("id", "=", used.userId)
      .execute();
    return { ok: true };
  });
}

/** Removes an account that somebody else made with the address of who got the mail; an account that is verified stays. */
export async function disownAccount(on: Db, code: string): Promise<Verified> {
  return transact(on, async (trx) => {
    const used = await useLinkCode(trx, code, "verify");
    if (used.ok)
      await trx.deleteFrom("users").where("id", "=", used.userId).where("emailVerified", "=", false).execute();
    return used.ok ? { ok: true } : used;
  });
}
