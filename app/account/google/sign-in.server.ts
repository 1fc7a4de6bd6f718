import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { splitName } from "#app/account/display-name.ts";
import { endLinkCodes } from "#app/account/link/code.server.ts";
import type { SignedIn } from "#app/account/session/store.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { type Identity, openIdClient } from "./open-id.server.ts";

const GOOGLE_CALLBACK = "/auth/google/callback";
/** Ties a sign-in to the browser where it began. */
export const STATE_COOKIE = "irepo.google";
export const STATE_LIFETIME = 10 * MINUTE;

const PROVIDER = "google";

/** Google, or the demo's stand-in, as OpenID provider; absent where the shop has no Google client. */
export const google =
  env.google && openIdClient({ ...env.google, redirectUri: new URL(GOOGLE_CALLBACK, env.publicUrl).href });

/**
 * The account of who came by Google, found, linked or made; the names are written each time, but not over those that the shopper has chosen. Identity is the
 * provider's subject, never the address. The address only finds an account that is not linked yet: a verified one is linked; an unverified one
 * was made by an unknown person, and loses password, sessions, open codes and cart to the owner of the address.
 */
export async function accountOf(on: Db, { subject, email, name }: Identity): Promise<SignedIn> {
  return retryingTransaction(on, async (trx) => {
    const userId = (await linkedTo(trx, subject)) ?? (await userOf(trx, email));
    await trx
      .insertInto("accounts")
      .values({ userId, providerId: PROVIDER, accountId: subject })
      .onConflict((conflict) => conflict.columns(["providerId", "accountId"]).doNothing())
      .execute();
    return trx
      .updateTable("users")
      .set({ ...(name && unlessChosen(splitName(name))), updatedAt: sql`now()` })
      .where("id", "=", userId)
      .returning(["id", "email", "firstName", "lastName", "emailVerified"])
      .executeTakeFirstOrThrow();
  });
}

/** The names, where the shopper has not set others. */
function unlessChosen({ firstName, lastName }: ReturnType<typeof splitName>) {
  const isChosen = sql`names_changed_at is not null`;
  return {
    firstName: sql<string>`case when ${isChosen} then first_name else ${firstName} end`,
    lastName: sql<string>`case when ${isChosen} then last_name else ${lastName} end`,
  };
}

async function linkedTo(trx: Transaction, subject: string): Promise<string | undefined> {
  const account = await trx
    .selectFrom("accounts")
    .select("userId")
    .where("providerId", "=", PROVIDER)
    .where("accountId", "=", subject)
    .executeTakeFirst();
  return account?.userId;
}

/** The user with this address, made when there is none; locked until the transaction ends. */
async function userOf(trx: Transaction, email: string): Promise<string> {
  await trx
    .insertInto("users")
    .values({ id: randomUUID(), email, emailVerified: true })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
  const { id, emailVerified } = await trx
    .selectFrom("users")
    .select(["id", "emailVerified"])
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (!emailVerified) await handOver(trx, id);
  return id;
}

/** Takes from an account what whoever made it has put there: its address belongs to somebody else. */
async function handOver(trx: Transaction, userId: string): Promise<void> {
  for (const table of ["accounts", "sessions", "carts", "cartMerges"] as const)
    await trx.deleteFrom(table).where("userId", "=", userId).execute();
  await endLinkCodes(trx, userId);
  await trx
    .updateTable("users")
    .set({ emailVerified: true, firstName: "", lastName: "", namesChangedAt: null })
    .where("id", "=", userId)
    .execute();
}
