import { endStreams } from "#app/account/session.server.ts";
import { lockedHash } from "#app/account/settings.server.ts";
import { forgetBuyer, hasMoneyUnderWay } from "#app/checkout/forget-buyer.server.ts";
import { type Db, transact } from "#app/infra/db.server.ts";
import { forgetRecipients } from "#app/infra/mail.server.ts";
import { unsubscribe } from "#app/newsletter/newsletter.server.ts";

export type Deleted = { ok: true } | { ok: false; why: "unknown" | "money-under-way" | "password-changed" };

/** What the owner proved to be the owner by: the hash that the password was checked against, or none for who came by Google alone. */
export type Proof = { checked: string | undefined };

/**
 * Deletes an account with everything that names its owner. Orders stay, without name and address, since the books need their sums; while a
 * payment or a refund may still move, nothing is deleted.
 */
export async function deleteCustomer(on: Db, userId: string, proof?: Proof): Promise<Deleted> {
  const deleted = await transact(on, async (trx): Promise<Deleted> => {
    const user = await trx.selectFrom("users").select("email").where("id", "=", userId).forUpdate().executeTakeFirst();
    if (!user) return { ok: false, why: "unknown" };
    if (proof && proof.checked !== (await lockedHash(trx, userId))) return { ok: false, why: "password-changed" };
    if (await hasMoneyUnderWay(trx, userId)) return { ok: false, why: "money-under-way" };
    const addresses = await forgetBuyer(trx, userId);
    await forgetRecipients(trx, [user.email, ...addresses]);
    await unsubscribe(trx, user.email);
    await trx.deleteFrom("users").where("id", "=", userId).execute();
    return { ok: true };
  });
  if (deleted.ok) await endStreams(on, userId);
  return deleted;
}
