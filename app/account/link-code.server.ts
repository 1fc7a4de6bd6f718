import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { Transaction } from "#app/infra/db.server.ts";
import { secretHash } from "./secret-hash.server.ts";

type Purpose = "verify" | "reset";

/** How long a code lives, as PostgreSQL counts it: its clock is the only one. */
const LIFETIMES: Record<Purpose, string> = { verify: "3 days", reset: "1 hour" };

/** Makes the code behind a link (192 random bits); the old one of this purpose is void. Only its hash is kept. */
export async function newLinkCode(trx: Transaction, userId: string, purpose: Purpose): Promise<string> {
  const code = randomBytes(24).toString("base64url");
  await sql`
    insert into link_codes (user_id, purpose, code_hash, expires_at)
    values (${userId}, ${purpose}, ${secretHash(code)}, now() + ${LIFETIMES[purpose]}::interval)
    on conflict (user_id, purpose) do update
      set code_hash = excluded.code_hash, expires_at = excluded.expires_at, used_at = null, created_at = now()
  `.execute(trx);
  return code;
}

export type UsedCode = { ok: true; userId: string } | { ok: false; why: "used" | "unknown" };

/** Uses a code up; of several at once exactly one wins. */
export async function useLinkCode(trx: Transaction, code: string, purpose: Purpose): Promise<UsedCode> {
  const used = await trx
    .updateTable("linkCodes")
    .set({ usedAt: sql`now()` })
    .where("codeHash", "=", secretHash(code))
    .where("purpose", "=", purpose)
    .where("usedAt", "is", null)
    .where("expiresAt", ">", sql<Date>`now()`)
    .returning("userId")
    .executeTakeFirst();
  if (used) return { ok: true, userId: used.userId };
  const old = await trx
    .selectFrom("linkCodes")
    .select("usedAt")
    .where("codeHash", "=", secretHash(code))
    .where("purpose", "=", purpose)
    .executeTakeFirst();
  return { ok: false, why: old?.usedAt ? "used" : "unknown" };
}
