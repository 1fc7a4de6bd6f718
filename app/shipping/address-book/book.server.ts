import { data } from "react-router";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import type { SavedAddress } from "#db/types.ts";
import { isSameAddress, MOST_ADDRESSES, type Saved } from "./book.ts";

export const savedType = sqlType.orNull(sqlType.json<Saved[]>());
/** A subquery with the addresses of the user whom `userId` names, the oldest first; null if there are none. */
export const savedSql = (userId: string) =>
  `(select jsonb_agg(jsonb_build_object('id', id, 'isDefault', is_default, 'address', address) order by created_at, id)
    from saved_addresses where user_id = ${userId})`;

const select = statement(
  { takes: { userId: sqlType.text }, gives: { saved: savedType } },
  `select ${savedSql(":userId")} as saved`,
);

/** The user's addresses, the oldest first. */
export async function savedAddresses(on: Db | Transaction, userId: string): Promise<Saved[]> {
  const [row] = await select(on, { userId });
  return row?.saved ?? [];
}

/**
 * Adds an address, unless the user has the same one already. It becomes the default if there is none. Returns false
 * if the user has `MOST_ADDRESSES`. Safe to repeat.
 */
export async function saveAddress(on: Db, userId: string, address: SavedAddress): Promise<boolean> {
  return withBook(on, userId, async (trx, saved) => {
    if (saved.some((one) => isSameAddress(one.address, address))) return true;
    if (saved.length >= MOST_ADDRESSES) return false;
    const isDefault = !saved.some((one) => one.isDefault);
    await trx
      .insertInto("savedAddresses")
      .values({ userId, address: JSON.stringify(address), isDefault })
      .execute();
    return true;
  });
}

/**
 * Changes an address. It takes the place of any that is the same then, also as the default. Returns false if the user
 * has no address with this id.
 */
export async function changeAddress(on: Db, userId: string, id: string, address: SavedAddress): Promise<boolean> {
  return withAddress(on, userId, id, async (trx, saved) => {
    const same = saved.filter((one) => one.id !== id && isSameAddress(one.address, address));
    for (const one of same) await trx.deleteFrom("savedAddresses").where("id", "=", one.id).execute();
    const set = { address: JSON.stringify(address), ...(same.some((one) => one.isDefault) && { isDefault: true }) };
    await trx.updateTable("savedAddresses").set(set).where("id", "=", id).execute();
  });
}

/** Makes an address the default. Returns false if the user has no address with this id. */
export async function makeDefault(on: Db, userId: string, id: string): Promise<boolean> {
  return withAddress(on, userId, id, async (trx) => {
    const all = trx.updateTable("savedAddresses").where("userId", "=", userId);
    await all.set({ isDefault: false }).where("isDefault", "=", true).execute(); // first: the index allows only one
    await all.set({ isDefault: true }).where("id", "=", id).execute();
  });
}

/** Returns false if the user has no address with this id, also for a repetition. Orders keep their copies. */
export async function deleteAddress(on: Db, userId: string, id: string): Promise<boolean> {
  return withAddress(on, userId, id, (trx) => trx.deleteFrom("savedAddresses").where("id", "=", id).execute());
}

/** The response to throw for an id of no address of the user: status 404. It is logged. */
export function noSuchAddress(userId: string) {
  noteSecurity("unknown-address", { account: userId });
  return data(null, { status: 404 });
}

/** Does `work` with the user's addresses, while no other request changes them. */
function withBook<T>(on: Db, userId: string, work: (trx: Transaction, saved: Saved[]) => Promise<T>): Promise<T> {
  return retryingTransaction(on, async (trx) => {
    await trx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
    return work(trx, await savedAddresses(trx, userId));
  });
}

/** Does `work` if the user has an address with this id, which stays until its end; otherwise returns false. */
function withAddress(
  on: Db,
  userId: string,
  id: string,
  work: (trx: Transaction, saved: Saved[]) => Promise<unknown>,
): Promise<boolean> {
  return withBook(on, userId, async (trx, saved) => {
    if (!saved.some((one) => one.id === id)) return false;
    await work(trx, saved);
    return true;
  });
}
