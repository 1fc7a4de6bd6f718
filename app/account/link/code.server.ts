import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

export type Purpose = "verify" | "reset";

/** How long a code is valid, as a PostgreSQL interval: only the database's clock counts. */
const LIFETIMES: Record<Purpose, string> = { verify: "3 days", reset: "1 hour" };
/**
 * The number of links of a kind that are valid at once: a shopper who asks again while a mail is on its way may use
 * either.
 */
const GOOD_AT_ONCE = 2;
/** How long a used or expired link is kept, so that its page can tell the reason. */
const REMEMBERED_FOR = "30 days";

/** A new code for a link: 192 random bits. */
export function newLinkCode(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * Stores the hash of a new code. Of the earlier codes, only the newest stays valid. The caller must have locked the
 * user.
 */
export async function keepLinkCode(trx: Transaction, userId: string, purpose: Purpose, code: string): Promise<void> {
  await sql`
    insert into link_codes (user_id, purpose, code_hash, expires_at, created_at)
    values (${userId}, ${purpose}, ${secretHash(code)}, now() + ${LIFETIMES[purpose]}::interval, clock_timestamp())
  `.execute(trx);
  await sql`
    update link_codes set expires_at = least(expires_at, now()) where code_hash in (
      select code_hash from link_codes where user_id = ${userId} and purpose = ${purpose} and used_at is null
      order by created_at desc offset ${GOOD_AT_ONCE})
  `.execute(trx);
}

export type LinkState = "live" | "used" | "old" | "unknown";

/** The state of a link, without using it up. A verification link counts as used once the address is verified. */
export async function linkState(on: Db | Transaction, code: string, purpose: Purpose): Promise<LinkState> {
  const { rows } = await sql<{ state: LinkState }>`
    select case when used_at is not null or purpose = 'verify' and email_verified then 'used'
      when expires_at <= now() then 'old' else 'live' end as state
    from link_codes join users on users.id = user_id
    where code_hash = ${secretHash(code)} and purpose = ${purpose}
  `.execute(on);
  return rows[0]?.state ?? "unknown";
}

/** The user of a link that is valid now. Undefined if the link is not valid. */
export async function userOfLiveCode(
  on: Db | Transaction,
  code: string,
  purpose: Purpose,
): Promise<string | undefined> {
  if ((await linkState(on, code, purpose)) !== "live") return;
  const row = on.selectFrom("linkCodes").select("userId").where("codeHash", "=", secretHash(code));
  return (await row.executeTakeFirst())?.userId;
}

/** Locks the user of a link until the transaction ends. */
export async function lockUserOf(trx: Transaction, code: string): Promise<void> {
  await sql`
    select from users join link_codes on user_id = users.id
    where code_hash = ${secretHash(code)} for no key update of users
  `.execute(trx);
}

export type ConsumedCode = { ok: true; userId: string } | { ok: false; why: LinkState };

/**
 * Uses a code up, and with it the other codes of the same user and purpose. Of several simultaneous calls, exactly one
 * succeeds.
 */
export async function consumeLinkCode(trx: Transaction, code: string, purpose: Purpose): Promise<ConsumedCode> {
  await lockUserOf(trx, code);
  const used = await trx
    .updateTable("linkCodes")
    .set({ usedAt: sql`now()` })
    .where("codeHash", "=", secretHash(code))
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("userId")
    .executeTakeFirst();
  if (!used) return { ok: false, why: await linkState(trx, code, purpose) };
  await trx
    .updateTable("linkCodes")
    .set({ usedAt: sql`now()` })
    .where("userId", "=", used.userId)
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .execute();
  return { ok: true, userId: used.userId };
}

/** Ends all links of a user, sign-in links included. */
export async function endLinkCodes(trx: Transaction, userId: string): Promise<void> {
  await trx.deleteFrom("signInLinks").where("userId", "=", userId).execute();
  await trx
    .updateTable("linkCodes")
    .set({ expiresAt: sql`least(expires_at, now())` })
    .where("userId", "=", userId)
    .execute();
}

/** Deletes links that expired long ago. */
export async function forgetLinkCodes(on: Db): Promise<void> {
  await on.deleteFrom("linkCodes").where("expiresAt", "<", sql<Date>`now() - ${REMEMBERED_FOR}::interval`).execute();
}
