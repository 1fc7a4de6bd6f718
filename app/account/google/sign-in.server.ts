import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { splitName } from "#app/account/display-name.ts";
import { endLinkCodes } from "#app/account/link/code.server.ts";
import { checkedHash, provePassword, removePassword, unprovedHash } from "#app/account/password/store.server.ts";
import { endSessions, endStreams, type SignedIn } from "#app/account/session/store.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { MINUTE } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { claimForAddress } from "#app/orders/claim/claim.server.ts";
import { type Identity, openIdClient } from "./open-id.server.ts";

const GOOGLE_CALLBACK = "/auth/google/callback";
/** The cookie that ties a sign-in to the browser where it began. */
export const STATE_COOKIE = "irepo.google";
export const STATE_LIFETIME = 10 * MINUTE;

const PROVIDER = "google";

/** The client of Google, or of the demo's own OpenID provider. Undefined if the shop has no Google client id. */
export const google =
  env.google && openIdClient({ ...env.google, redirectUri: new URL(GOOGLE_CALLBACK, env.publicUrl).href });

/**
 * The account for a sign-in with Google: found, linked or created. Each sign-in updates the names, unless the shopper
 * has changed them. The provider's subject identifies the account, never the address, which only finds an account to
 * link:
 * - A verified account is linked. If its password is not proved and `checked` is not its hash, the account loses the
 * password and all sessions.
 * - An unverified account may be a stranger's. It goes to the owner of the address and loses password, sessions, open
 * codes and cart.
 */
export async function accountOf(on: Db, identity: Identity, checked?: string): Promise<SignedIn> {
  const user = await link(on, identity, checked);
  await endStreams(on, user.id);
  return user;
}

async function link(on: Db, { subject, email, name }: Identity, checked?: string): Promise<SignedIn> {
  return retryingTransaction(on, async (trx) => {
    const userId = (await linkedTo(trx, subject)) ?? (await userOf(trx, email, checked));
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

/** The names to write, except over names that the shopper has chosen. */
function unlessChosen({ firstName, lastName }: ReturnType<typeof splitName>) {
  const isChosen = sql`names_changed_at is not null`;
  return {
    firstName: sql<string>`case when ${isChosen} then first_name else ${firstName} end`,
    lastName: sql<string>`case when ${isChosen} then last_name else ${lastName} end`,
  };
}

/**
 * Whether the sign-in has to ask for the password of the account with this address: the account is not linked yet, and
 * its password is not proved.
 */
export async function asksPassword(on: Db, { subject, email }: Identity): Promise<boolean> {
  return on.transaction().execute(async (trx) => {
    if (await linkedTo(trx, subject)) return false;
    const verified = trx.selectFrom("users").select("id").where("email", "=", email).where("emailVerified", "=", true);
    const user = await verified.executeTakeFirst();
    return user !== undefined && (await unprovedHash(trx, user.id)) !== undefined;
  });
}

/** The password hash of the account with this address. Undefined if the password is wrong. */
export async function hashOfAddress(on: Db, email: string, password: string): Promise<string | undefined> {
  const user = await on.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  return checkedHash(on, user?.id ?? "", password);
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

/** The id of the user with this address, created if there is none. The user is locked until the transaction ends. */
async function userOf(trx: Transaction, email: string, checked?: string): Promise<string> {
  await trx
    .insertInto("users")
    .values({ id: randomUUID(), email, emailVerified: true })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
  const { id, emailVerified } = await trx
    .selectFrom("users")
    .select(["id", "emailVerified"])
    .where("email", "=", email)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (emailVerified) await settlePassword(trx, { id, email }, checked);
  else await handOver(trx, id);
  await claimForAddress(trx, id);
  return id;
}

/**
 * Keeps the password if it is proved or was entered in this sign-in. Otherwise removes it: a stranger who registered
 * the address first may have chosen it.
 */
async function settlePassword(
  trx: Transaction,
  { id, email }: Pick<SignedIn, "id" | "email">,
  checked?: string,
): Promise<void> {
  const hash = await unprovedHash(trx, id);
  if (hash === undefined) return;
  if (hash === checked) return provePassword(trx, id);
  await removePassword(trx, id);
  await endSessions(trx, id, "all");
  await endLinkCodes(trx, id);
  await queueMail(trx, {
    key: `password-removed:${id}:${randomUUID()}`,
    recipient: email,
    kind: "password-removed",
    data: { url: new URL("/forgotPassword", env.publicUrl).href },
  });
}

/**
 * Removes from an unverified account all that its creator has put there, since the address belongs to another person.
 */
async function handOver(trx: Transaction, userId: string): Promise<void> {
  for (const table of ["accounts", "sessions", "knownDevices", "carts", "cartMerges"] as const)
    await trx.deleteFrom(table).where("userId", "=", userId).execute();
  await endLinkCodes(trx, userId);
  await trx
    .updateTable("users")
    .set({ emailVerified: true, firstName: "", lastName: "", namesChangedAt: null })
    .where("id", "=", userId)
    .execute();
}
