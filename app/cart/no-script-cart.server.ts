import { createHash } from "node:crypto";
import { getProducts } from "#app/catalog/catalog.server.ts";
import { availableIn } from "#app/catalog/product.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { DAY } from "#app/infra/durations.ts";
import { readSignedCookie, serverCookie, signedCookie } from "#app/infra/http/cookie.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import * as messages from "#app/messages.ts";
import { mergeFromForm } from "./cart.server.ts";
import { countUnits, limitText } from "./cart.ts";
import { type GuestItem, guestItem, PLACEHOLDER_IMAGE, readGuestItems } from "./guest-item.ts";
import { mostToBuy } from "./limit.server.ts";
import type { MergeAnswer } from "./merge.ts";

/**
 * A guest's cart is in the browser's storage, which only a script can write. What is added without one is in a signed cookie, until the script or the
 * next sign-in has moved it: a merge id, which keeps a sign-in from adding it twice, and the lines.
 */
const COOKIE = "irepo.items";
const LIVES_FOR = 7 * DAY;
const MOST_BYTES = 3500; // browsers keep 4 KB with the cookie's name and its attributes

/** `mark` is another one after each change. */
export type NoScriptCart = { mergeId: string; mark: string; items: GuestItem[] };
export type NoScriptChange =
  | { intent: "add" | "set"; id: string; size: string; quantity: number }
  | { intent: "remove"; id: string; size: string };

/** What was added without script; nothing where the cookie is missing or not ours. */
export function readNoScriptCart(request: Request): NoScriptCart {
  const [mergeId = "", packed = ""] = readSignedCookie(request, COOKIE)?.split(".") ?? [];
  if (!mergeId) return { mergeId: crypto.randomUUID(), mark: "", items: [] };
  const lines: unknown = JSON.parse(Buffer.from(packed, "base64url").toString());
  const mark = createHash("sha256").update(packed).digest("base64url");
  return { mergeId, mark, items: readGuestItems(lines) };
}

/** The number of units in the cookie. */
export function countNoScriptItems(request: Request): number {
  return countUnits(readNoScriptCart(request).items);
}

export function hasNoScriptLine(request: Request, { id, size }: { id: string; size: string }): boolean {
  return readNoScriptCart(request).items.some((item) => item.id === id && item.selectedSize === size);
}

/**
 * Changes the cart in the cookie, as `addToCart`, `setQuantity` and `removeFromCart` do an account's. `problem` is for the shopper, `isCapped`: there
 * was too little to add all.
 */
export async function changeNoScriptCart(
  on: Db,
  request: Request,
  change: NoScriptChange,
): Promise<{ ok: true; cookie: string; isCapped: boolean } | { ok: false; problem: string }> {
  const { mergeId, items } = readNoScriptCart(request);
  const isIt = (item: GuestItem) => item.id === change.id && item.selectedSize === change.size;
  const others = items.filter((item) => !isIt(item));
  if (change.intent === "remove") return { ok: true, cookie: cookieOf(mergeId, others), isCapped: false };
  const product = (await getProducts(on, [change.id])).get(change.id);
  if (!product || product.hidden) {
    logInternalError("productNotFound", { product: change.id, size: change.size });
    return { ok: false, problem: messages.product.notFound };
  }
  if (!product.sizes.some(({ size }) => size === change.size)) {
    logInternalError("sizeNotFound", { product: change.id, size: change.size });
    return { ok: false, problem: messages.cartOther.unknownSize };
  }
  const most = mostToBuy(product, change.size);
  const held = items.find(isIt)?.quantity ?? 0;
  const wanted = change.intent === "add" ? held + change.quantity : change.quantity;
  const isCapped = wanted > most;
  if (most === 0 || (change.intent === "set" && isCapped))
    return {
      ok: false,
      problem: limitText({ availableQuantity: availableIn(product, change.size), maxQuantity: most }),
    };
  const item = guestItem(product, change.size, Math.min(wanted, most), PLACEHOLDER_IMAGE, new Date().toISOString());
  const next = held > 0 ? items.map((one) => (isIt(one) ? item : one)) : [...items, item];
  const cookie = cookieOf(mergeId, next);
  return cookie.length > MOST_BYTES ? { ok: false, problem: messages.cartOther.full } : { ok: true, cookie, isCapped };
}

function cookieOf(mergeId: string, items: GuestItem[]): string {
  if (items.length === 0) return clearNoScriptCart();
  const lines = items.map(({ id, selectedSize, color, quantity, price }) => ({
    id,
    selectedSize,
    color,
    quantity,
    price,
  }));
  const packed = Buffer.from(JSON.stringify(lines)).toString("base64url");
  return signedCookie(COOKIE, `${mergeId}.${packed}`, LIVES_FOR);
}

export function clearNoScriptCart(): string {
  return serverCookie(COOKIE, "", 0);
}

/**
 * Merges all that a guest has into the account's cart: what was added without script, and the cart in the form's fields. Safe to repeat. `cookies` are
 * for the answer of a sign-in, after which the account alone has it.
 */
export async function mergeGuestCarts(
  on: Db,
  userId: string,
  request: Request,
  form: { guestCart?: string; mergeId?: string },
): Promise<{ merged: MergeAnswer; cookies: string[] }> {
  const { mergeId, items } = readNoScriptCart(request);
  const noScript = await mergeFromForm(on, userId, { guestCart: JSON.stringify(items), mergeId });
  const merged = await mergeFromForm(on, userId, form);
  if (!noScript.ok) return { merged, cookies: [] };
  const cookies = items.length > 0 ? [clearNoScriptCart()] : [];
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
