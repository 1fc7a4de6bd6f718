import { lockedHash } from "#app/account/password/store.server.ts";
import { endStreams } from "#app/account/session/store.server.ts";
import { deleteStockAlertsOf } from "#app/catalog/stock-alerts/alerts.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { eraseRecipients } from "#app/infra/mail.server.ts";
import { unsubscribe } from "#app/newsletter/newsletter.server.ts";
import { anonymizeBuyer, openOrders } from "#app/orders/forget-buyer.server.ts";
import { lockCart } from "#app/orders/lifecycle.server.ts";

export type NotDeleted =
  | { why: "unknown" | "password-changed" }
  | { why: "money-under-way" | "return-open" | "unsent"; orders: string[] };
export type Deleted = { ok: true } | ({ ok: false } & NotDeleted);

/** The owner's proof: the hash that the password was checked against, or none for an account with Google alone. */
export type Proof = { checked: string | undefined };

/**
 * Deletes an account with everything that names its owner; kept-after-deletion.ts says what stays. While a payment, a refund or a return may still move, or
 * an order is paid and not sent, nothing is deleted.
 */
export async function deleteCustomer(
  on: Db | Transaction,
  userId: string,
  { proof }: { proof?: Proof } = {},
): Promise<Deleted> {
  const deleted = await retryingTransaction(on, async (trx): Promise<Deleted> => {
    await lockCart(trx, userId); // first, as by whoever moves money of theirs
    const user = await trx.selectFrom("users").select("email").where("id", "=", userId).forUpdate().executeTakeFirst();
    if (!user) return { ok: false, why: "unknown" };
    if (proof && proof.checked !== (await lockedHash(trx, userId))) return { ok: false, why: "password-changed" };
    const { underWay, returning, unsent } = await openOrders(trx, userId);
    if (underWay.length > 0) return { ok: false, why: "money-under-way", orders: underWay };
    if (returning.length > 0) return { ok: false, why: "return-open", orders: returning };
    if (unsent.length > 0) return { ok: false, why: "unsent", orders: unsent };
    await eraseRecipients(trx, user.email, await anonymizeBuyer(trx, userId, user.email));
    await unsubscribe(trx, user.email);
    await deleteStockAlertsOf(trx, user.email);
    await trx.deleteFrom("users").where("id", "=", userId).execute();
    return { ok: true };
  });
  if (deleted.ok) await endStreams(on, userId);
  return deleted;
}
