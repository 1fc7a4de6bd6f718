import type { Db, Transaction } from "#app/infra/db.server.ts";

/** Subscribing twice is the same as once, and nobody learns who had subscribed before. */
export async function subscribe(on: Db, firstName: string, email: string): Promise<void> {
  await on
    .insertInto("subscriptions")
    .values({ firstName, email: email.toLowerCase() })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
}

export async function unsubscribe(on: Db | Transaction, email: string): Promise<void> {
  await on.deleteFrom("subscriptions").where("email", "=", email).execute();
}

export async function isSubscribed(on: Db, email: string): Promise<boolean> {
  const row = await on.selectFrom("subscriptions").select("id").where("email", "=", email).executeTakeFirst();
  return row !== undefined;
}
