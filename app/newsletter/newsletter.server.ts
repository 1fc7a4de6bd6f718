import { z } from "zod";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { time } from "#app/infra/document/time-field.ts";
import { EMAIL_MAX } from "#app/infra/email-address.ts";

/** The form. */
export const subscription = z.object({
  firstName: z.string().trim().min(1).max(100),
  email: z.string().trim().min(1).max(EMAIL_MAX),
});

/** Subscribing twice is the same as once, and nobody learns who had subscribed before. */
export async function subscribe(on: Db, firstName: string, email: string): Promise<void> {
  await on
    .insertInto("subscriptions")
    .values({ firstName, email: email.toLowerCase() })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
}

/** Answers the subscription's id; undefined where there was none. */
export async function unsubscribe(on: Db | Transaction, email: string): Promise<string | undefined> {
  const gone = await on.deleteFrom("subscriptions").where("email", "=", email).returning("id").executeTakeFirst();
  return gone?.id;
}

export async function isSubscribed(on: Db, email: string): Promise<boolean> {
  const row = await on.selectFrom("subscriptions").select("id").where("email", "=", email).executeTakeFirst();
  return row !== undefined;
}

/** In the specification's shape (collection Subscription), the oldest first. */
export async function listSubscriptions(on: Db): Promise<{ firstName: string; email: string; createdAt: string }[]> {
  const rows = await on
    .selectFrom("subscriptions")
    .select(["firstName", "email", "createdAt"])
    .orderBy("createdAt")
    .execute();
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
}

const document = z.object({
  firstName: z.string().max(100).catch(""),
  email: z.email("this is no email address"),
  createdAt: time.optional(),
});

/** Throws a ZodError where the document is no subscription. */
export function readSubscription(given: unknown): z.infer<typeof document> {
  return document.parse(given);
}

/** False: the address is there already. */
export async function importSubscription(
  trx: Transaction,
  { firstName, email, createdAt }: z.infer<typeof document>,
): Promise<boolean> {
  const made = await trx
    .insertInto("subscriptions")
    .values({ firstName, email: email.toLowerCase(), createdAt })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return made !== undefined;
}
