import type { Db } from "#app/infra/db.server.ts";

/** Subscribing twice is the same as once, and nobody learns who had subscribed before. */
export async function subscribe(on: Db, firstName: string, email: string): Promise<void> {
  await on
    .insertInto("subscriptions")
    .values({ firstName, email: email.toLowerCase() })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
}
