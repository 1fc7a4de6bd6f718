import { NoResultError } from "kysely";
import { beginSession, type SignedIn, summaryOf } from "#app/account/session/store.server.ts";
import type { Welcome } from "#app/account/welcome.ts";
import { mergeGuestCarts } from "#app/cart/no-script-cart.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { errorCode } from "#app/infra/error-fields.ts";
import { noteSecurity } from "#app/infra/http/security-log.server.ts";
import type { Carried } from "./open-id.server.ts";

const FOREIGN_KEY_VIOLATION = "23503";

/**
 * Begins a session for a user who signed in with Google, and merges the guest carts. The response has to set `cookies`.
 */
export async function arrive(
  request: Request,
  user: SignedIn,
  carried: Carried,
): Promise<{ welcome: Welcome; cookies: string[] }> {
  const { cookies } = await beginSession(request, user);
  noteSecurity("login-done", { account: user.email, way: "google" });
  const { merged, cookies: ofNoScript } = await mergeGuestCarts(db(), user.id, request, carried);
  return {
    welcome: { user: summaryOf(user), next: carried.next, merged },
    cookies: [...cookies, ...ofNoScript],
  };
}

/** Whether the error means that the account was deleted while the sign-in was in progress. */
export function isAccountGone(error: unknown): boolean {
  return error instanceof NoResultError || errorCode(error) === FOREIGN_KEY_VIOLATION;
}
