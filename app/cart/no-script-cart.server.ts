import { randomUUID } from "node:crypto";
import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { mergeFromForm } from "./cart.server.ts";
import { readGuestCart } from "./guest-item.ts";
import type { MergeAnswer } from "./merge.ts";
import type { NoScriptItem } from "./no-script-cart.browser.ts";

/**
 * A guest's cart is in the browser's storage, which only a script can write. What was added without one is in a cookie until the script, or the next
 * sign-in, has moved it. The cookie's first part is the merge id of just these items: a sign-in adds them once.
 */
const COOKIE = "irepo.items";
const LIVES_FOR = 7 * DAY;
const MOST_LINES = 20; // a cookie has 4 KB

export function hasNoScriptItems(request: Request): boolean {
  return readCookie(request, COOKIE) !== undefined;
}

function readNoScriptCart(request: Request): { mergeId: string; guestCart: string } {
  const [mergeId = "", packed = ""] = readCookie(request, COOKIE)?.split(".") ?? [];
  return { mergeId, guestCart: Buffer.from(packed, "base64url").toString() };
}

/** The cookie with one item more. */
export function addNoScriptItem(request: Request, item: { id: string; size: string; quantity: number }): string {
  const before = readGuestCart(readNoScriptCart(request).guestCart);
  const items = [...before, { id: item.id, selectedSize: item.size, quantity: item.quantity }]
    .map(({ id, selectedSize, quantity }) => ({ id, selectedSize, quantity }))
    .slice(-MOST_LINES);
  const packed = Buffer.from(JSON.stringify(items)).toString("base64url");
  return serverCookie(COOKIE, `${randomUUID()}.${packed}`, LIVES_FOR);
}

export function clearNoScriptItems(): string {
  return serverCookie(COOKIE, "", 0);
}

/** What the script needs to move them into the guest's cart, and their merge id. */
export async function describeNoScriptItems(
  on: Db,
  request: Request,
): Promise<{ mergeId: string; items: NoScriptItem[] }> {
  const { mergeId, guestCart } = readNoScriptCart(request);
  const stored = readGuestCart(guestCart);
  const products = await getProducts(
    on,
    stored.map(({ id }) => id),
  );
  const items = stored.flatMap(({ id, selectedSize: size, quantity }) => {
    const product = products.get(id);
    return product ? [{ product, size, quantity }] : [];
  });
  return { mergeId, items };
}

/** Merges all that a guest has into the account's cart: what was added without script, and the cart in the sign-in's form. `cookies` are for the answer. */
export async function mergeAtSignIn(
  on: Db,
  userId: string,
  request: Request,
  form: { guestCart?: string; mergeId?: string },
): Promise<{ merged: MergeAnswer; cookies: string[] }> {
  const noScript = await mergeFromForm(on, userId, readNoScriptCart(request));
  const merged = await mergeFromForm(on, userId, form);
  if (!noScript.ok) return { merged, cookies: [] };
  const cookies = hasNoScriptItems(request) ? [clearNoScriptItems()] : [];
  if (!merged.ok) return { merged, cookies };
  return {
    merged: {
      ...merged, // with the lines that the script is to remove
      added: [...new Set([...noScript.added, ...merged.added])],
      adjusted: noScript.adjusted || merged.adjusted,
      skipped: [...noScript.skipped, ...merged.skipped],
    },
    cookies,
  };
}
