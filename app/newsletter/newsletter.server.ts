import { z } from "zod";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { time } from "#app/infra/document/time-field.ts";
import { EMAIL_MAX, isEmail } from "#app/infra/email-address.ts";
import { spaceInitials } from "#app/infra/text/person-name.ts";

export const subscription = z.object({
  firstName: z.string().trim().transform(spaceInitials).pipe(z.string().min(1).max(100)),
  email: z.string().trim().min(1).max(EMAIL_MAX),
});

/**
 * Adds a subscription. A second one for the same address changes nothing and gets the same response, so that nobody
 * learns who has subscribed.
 */
export async function subscribe(on: Db, firstName: string, email: string): Promise<void> {
  await on
    .insertInto("subscriptions")
    .values({ firstName, email: email.toLowerCase() })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
}

/** Returns the id of the deleted subscription. Undefined if there was none. */
export async function unsubscribe(on: Db | Transaction, email: string): Promise<string | undefined> {
  const gone = await on.deleteFrom("subscriptions").where("email", "=", email).returning("id").executeTakeFirst();
  return gone?.id;
}

export async function isSubscribed(on: Db, email: string): Promise<boolean> {
  const row = await on.selectFrom("subscriptions").select("id").where("email", "=", email).executeTakeFirst();
  return row !== undefined;
}

/** All subscriptions in the specification's format (collection Subscription), oldest first. */
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
  email: z.string("this isn’t an email address").refine(isEmail, "this isn’t an email address"),
  createdAt: time.optional(),
});

/** Throws a ZodError if the document is invalid. */
export function readSubscription(given: unknown): z.infer<typeof document> {
  return document.parse(given);
}

/** Returns false if the address is already subscribed. */
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
