import { checkedHash, lockedHash, provePassword, savePassword } from "#app/account/password/store.server.ts";
import { endSessions } from "#app/account/session/store.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { hashPassword } from "#app/infra/secrets/password-hash.server.ts";
import { claimForAddress } from "#app/orders/claim/claim.server.ts";
import { consumeLinkCode, type LinkState, linkState, lockUserOf, userOfLiveCode } from "./code.server.ts";

/**
 * The proof, in addition to the link, that no stranger knows the account's password: the browser that registered, the
 * password chosen there, or a new password.
 */
export type Proof = { browser?: Buffer; password?: string; newPassword?: string };
export type Verified = { ok: true; userId: string } | { ok: false; why: LinkState | "unproved" | "wrong-password" };

/**
 * Verifies the address by the code of a verification mail. A new password replaces the one from the registration and
 * ends all sessions.
 */
export async function verifyEmail(on: Db, code: string, proof: Proof): Promise<Verified> {
  const userId = await userOfLiveCode(on, code, "verify");
  if (!userId) return { ok: false, why: await linkState(on, code, "verify") };
  const { password, newPassword } = proof;
  const checked = password === undefined ? undefined : await checkedHash(on, userId, password);
  const hash = newPassword === undefined ? undefined : await hashPassword(newPassword);
  return retryingTransaction(on, async (trx) => {
    await lockUserOf(trx, code);
    const isProved = hash !== undefined || (await isProvedBy(trx, userId, proof.browser, checked));
    if (!isProved) return { ok: false, why: password === undefined ? "unproved" : "wrong-password" };
    const used = await consumeLinkCode(trx, code, "verify");
    if (!used.ok) return used;
    if (hash !== undefined) await replacePassword(trx, userId, hash);
    await provePassword(trx, userId);
    await trx
      .updateTable("users")
      .set({ emailVerified: true, registeredIn: null, updatedAt: new Date() })
      .where("id", "=", userId)
      .execute();
    await claimForAddress(trx, userId);
    return { ok: true, userId };
  });
}

/** Whether this link works only together with a password. */
export async function asksPassword(on: Db, code: string, browser: Buffer | undefined): Promise<boolean> {
  const userId = await userOfLiveCode(on, code, "verify");
  return userId !== undefined && !(await isRegisteredIn(on, userId, browser));
}

async function isProvedBy(trx: Transaction, userId: string, browser?: Buffer, checked?: string): Promise<boolean> {
  if (await isRegisteredIn(trx, userId, browser)) return true;
  return checked !== undefined && (await lockedHash(trx, userId)) === checked;
}

async function isRegisteredIn(on: Db | Transaction, userId: string, browser: Buffer | undefined): Promise<boolean> {
  if (!browser) return false;
  const user = on.selectFrom("users").select("id").where("id", "=", userId).where("registeredIn", "=", browser);
  return (await user.executeTakeFirst()) !== undefined;
}

async function replacePassword(trx: Transaction, userId: string, hash: string): Promise<void> {
  await savePassword(trx, userId, hash);
  await endSessions(trx, userId, "all");
}
