import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { secretHash } from "#app/infra/secrets/hash.server.ts";

export type Purpose = "verify" | "reset";

/** How long a code lives, as PostgreSQL counts it: its clock is the only one. */
const LIFETIMES: Record<Purpose, string> = { verify: "3 days", reset: "1 hour" };
/** So many links of a kind are good at once: whoever asks again while a mail is on its way may use either. */
const GOOD_AT_ONCE = 2;
/** So long a link that is used or expired can say so. */
const REMEMBERED_FOR = "30 days";

/** The code behind a link: 192 random bits. */
export function newLinkCode(): string {
  return randomBytes(24).toString("base64url");
}

/** Makes a code valid; of those before it only the newest stays so. Only its hash is kept. The caller has locked the user. */
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

/** What following a link would come to; uses nothing up. A link for verifying counts as used when the address is verified. */
export async function linkState(on: Db | Transaction, code: string, purpose: Purpose): Promise<LinkState> {
  const { rows } = await sql<{ state: LinkState }>`
    select case when used_at is not null or purpose = 'verify' and email_verified then 'used'
      when expires_at <= now() then 'old' else 'live' end as state
    from link_codes join users on users.id = user_id
    where code_hash = ${secretHash(code)} and purpose = ${purpose}
  `.execute(on);
  return rows[0]?.state ?? "unknown";
}

export type ConsumedCode = { ok: true; userId: string } | { ok: false; why: LinkState };

/** Uses a code up, and with it the others of the same user and purpose; of several at once exactly one wins. */
export async function consumeLinkCode(trx: Transaction, code: string, purpose: Purpose): Promise<ConsumedCode> {
  await sql`
    select from users join link_codes on user_id = users.id
    where code_hash = ${secretHash(code)} for no key update of users
  `.execute(trx);
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

/** Ends all links of a user. */
export async function endLinkCodes(trx: Transaction, userId: string): Promise<void> {
  await trx
    .updateTable("linkCodes")
    .set({ expiresAt: sql`least(expires_at, now())` })
    .where("userId", "=", userId)
    .execute();
}

/** Takes away links that have long been over. */
export async function forgetLinkCodes(on: Db): Promise<void> {
  await on.deleteFrom("linkCodes").where("expiresAt", "<", sql<Date>`now() - ${REMEMBERED_FOR}::interval`).execute();
}
