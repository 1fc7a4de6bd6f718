import type { Db } from "#app/infra/database/db.server.ts";
import { sqlType, statement } from "#app/infra/database/statement.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { readSignedCookie, serverCookie, signedCookie } from "#app/infra/http/cookie.server.ts";
import { guestOffers } from "#app/offers/offers.server.ts";
import { publishCart } from "../publish.server.ts";

/** The cookie with a guest's code, with or without JavaScript. An account's code is kept with its cart. */
export const CODE_COOKIE = "irepo.code";
const LIVES_FOR = 7 * DAY;

/** The code that a guest has typed, from the cookie; null if there is none. */
export function guestCode(request: Request): string | null {
  const packed = readSignedCookie(request, CODE_COOKIE);
  return packed ? Buffer.from(packed, "base64url").toString() : null;
}

/** The Set-Cookie value that stores a guest's code, or with null deletes it. */
export function codeCookie(code: string | null): string {
  if (!code) return serverCookie(CODE_COOKIE, "", 0);
  return signedCookie(CODE_COOKIE, Buffer.from(code).toString("base64url"), LIVES_FOR);
}

const writeCode = statement(
  { takes: { userId: sqlType.text, code: sqlType.orNull(sqlType.text) }, gives: {} },
  `insert into carts (user_id, version, code) values (:userId, 1, :code)
   on conflict (user_id) do update set version = carts.version + 1, code = excluded.code, updated_at = now()`,
);

/**
 * Stores a code with the account's cart; null removes the code. Increments the cart's version, since its sums change.
 */
export async function setCode(on: Db, userId: string, code: string | null): Promise<void> {
  await writeCode(on, { userId, code });
  await publishCart(on, userId);
}

/** Whether a code belongs to a running offer that is not used up. */
export async function isCode(on: Db, code: string): Promise<boolean> {
  const offers = (await guestOffers(on, code, []))?.offers?.offers ?? [];
  return offers.some(({ byCode, usedUp }) => byCode && !usedUp);
}
