import { randomUUID } from "node:crypto";
import { getProducts } from "#app/catalog/catalog.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { readCookie, serverCookie } from "#app/infra/http/cookie.server.ts";
import { bringGuestCart } from "./cart.server.ts";
import { readGuestCart } from "./guest-item.ts";
import type { Brought } from "./merge.ts";
import type { NoScriptItem } from "./no-script-cart.browser.ts";

/**
 * A guest's cart lies in the browser's storage, which only a script can fill: what was added without one waits in a cookie, for the script or for the next
 * sign-in. Its first part names these very pieces, so that they are brought along once.
 */
const COOKIE = "irepo.pieces";
const LIVES = 7 * DAY;
const MOST = 20; // a cookie has 4 KB

export function hasNoScriptItems(request: Request): boolean {
  return readCookie(request, COOKIE) !== undefined;
}

function earlyPieces(request: Request): { mergeId: string; guestCart: string } {
  const [mergeId = "", packed = ""] = readCookie(request, COOKIE)?.split(".") ?? [];
  return { mergeId, guestCart: Buffer.from(packed, "base64url").toString() };
}

/** The cookie with one piece more. */
export function addNoScriptItem(request: Request, piece: { id: string; size: string; quantity: number }): string {
  const before = readGuestCart(earlyPieces(request).guestCart);
  const pieces = [...before, { id: piece.id, selectedSize: piece.size, quantity: piece.quantity }]
    .map(({ id, selectedSize, quantity }) => ({ id, selectedSize, quantity }))
    .slice(-MOST);
  const packed = Buffer.from(JSON.stringify(pieces)).toString("base64url");
  return serverCookie(COOKIE, `${randomUUID()}.${packed}`, LIVES);
}

export function clearNoScriptItems(): string {
  return serverCookie(COOKIE, "", 0);
}

/** What the script needs to put them into the guest's cart, and their name. */
export async function describeNoScriptItems(
  on: Db,
  request: Request,
): Promise<{ mergeId: string; pieces: NoScriptItem[] }> {
  const { mergeId, guestCart } = earlyPieces(request);
  const items = readGuestCart(guestCart);
  const products = await getProducts(
    on,
    items.map(({ id }) => id),
  );
  const pieces = items.flatMap(({ id, selectedSize: size, quantity }) => {
    const product = products.get(id);
    return product ? [{ product, size, quantity }] : [];
  });
  return { mergeId, pieces };
}

/** All that a guest brings along to a sign-in: the cart that its form has sent, and the early pieces. `cookies` are for the answer. */
export async function bringEverything(
  on: Db,
  userId: string,
  request: Request,
  form: { guestCart?: string; mergeId?: string },
): Promise<{ merged: Brought; cookies: string[] }> {
  const early = await bringGuestCart(on, userId, earlyPieces(request));
  const merged = await bringGuestCart(on, userId, form);
  if (!early.ok) return { merged, cookies: [] };
  const cookies = hasNoScriptItems(request) ? [clearNoScriptItems()] : [];
  if (!merged.ok) return { merged, cookies };
  return {
    merged: {
      ...merged, // `brought` is what the script is to forget
      added: [...new Set([...early.added, ...merged.added])],
      adjusted: early.adjusted || merged.adjusted,
      skipped: [...early.skipped, ...merged.skipped],
    },
    cookies,
  };
}
