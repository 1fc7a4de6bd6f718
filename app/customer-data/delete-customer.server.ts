import { lockedHash } from "#app/account/password/store.server.ts";
import { endStreams } from "#app/account/session/store.server.ts";
import { deleteStockAlertsOf } from "#app/catalog/stock-alerts/alerts.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { eraseRecipients } from "#app/infra/mail.server.ts";
import { unsubscribe } from "#app/newsletter/newsletter.server.ts";
import { forgetNamedCustomer } from "#app/offers/offers.server.ts";
import { anonymizeBuyer, openOrders } from "#app/orders/forget-buyer.server.ts";
import { lockCart } from "#app/orders/lifecycle.server.ts";

export type NotDeleted =
  | { why: "unknown" | "password-changed" }
  | { why: "money-under-way" | "return-open" | "unsent"; orders: string[] };
export type Deleted = { ok: true } | ({ ok: false } & NotDeleted);

/**
 * What proves that the account's owner asks: the password hash that was checked, or undefined for an account that signs
 * in with Google only.
 */
export type Proof = { checked: string | undefined };

/**
 * Deletes an account with all data that identifies its owner. kept-after-deletion.ts lists what stays. Nothing is
 * deleted while a payment, refund or return is open, or a paid order has not been sent.
 */
export async function deleteCustomer(
  on: Db | Transaction,
  userId: string,
  { proof }: { proof?: Proof } = {},
): Promise<Deleted> {
  const deleted = await retryingTransaction(on, async (trx): Promise<Deleted> => {
    await lockCart(trx, userId); // the first lock, as in every transaction that moves this customer's money
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
    await forgetNamedCustomer(trx, user.email);
    await trx.deleteFrom("users").where("id", "=", userId).execute();
    return { ok: true };
  });
  if (deleted.ok) await endStreams(on, userId);
  return deleted;
}
