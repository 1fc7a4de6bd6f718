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
import { codeCookie, guestCode, setCode } from "./offers/code.server.ts";
import { moveToSize, type SizeChange } from "./sizes/move.ts";

/**
 * The cookie with the cart of a guest without JavaScript: only a script can write the guest cart in local storage. The
 * signed cookie holds the lines, and a merge id so that a sign-in adds them only once. A script or the next sign-in
 * moves the lines out of the cookie.
 */
export const NO_SCRIPT_CART_COOKIE = "irepo.items";
const LIVES_FOR = 7 * DAY;
const MOST_BYTES = 3500; // browsers keep 4 KB, including the cookie's name and attributes

/** `mark` is a hash of the contents, so it differs after each change. */
export type NoScriptCart = { mergeId: string; mark: string; items: GuestItem[] };
export type NoScriptChange =
  | { intent: "add" | "set"; id: string; size: string; quantity: number }
  | { intent: "remove"; id: string; size: string }
  | ({ intent: "size" } & SizeChange);

/** The items in the cookie. Empty if the cookie is missing or its signature is wrong. */
export function readNoScriptCart(request: Request): NoScriptCart {
  const [mergeId = "", packed = ""] = readSignedCookie(request, NO_SCRIPT_CART_COOKIE)?.split(".") ?? [];
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
 * Changes the cart in the cookie, as `addToCart`, `setQuantity`, `removeFromCart` and `changeSize` do with an account's
 * cart. `problem` is a message for the shopper; `isCapped`: the stock or the owner's limit was too small for all units.
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
  const size = change.intent === "size" ? change.to : change.size;
  if (!product.sizes.some((one) => one.size === size)) {
    logInternalError("sizeNotFound", { product: change.id, size });
    return { ok: false, problem: messages.cartOther.unknownSize };
  }
  const most = mostToBuy(product, size);
  const atLimit = {
    ok: false as const,
    problem: limitText({ availableQuantity: availableIn(product, size), maxQuantity: most }),
  };
  if (change.intent === "size") {
    const moved = moveToSize(items, change, most);
    return most === 0 ? atLimit : { ok: true, cookie: cookieOf(mergeId, moved.items), isCapped: moved.isCapped };
  }
  const held = items.find(isIt)?.quantity ?? 0;
  const wanted = change.intent === "add" ? held + change.quantity : change.quantity;
  const isCapped = wanted > most;
  if (most === 0 || (change.intent === "set" && isCapped)) return atLimit;
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
  return signedCookie(NO_SCRIPT_CART_COOKIE, `${mergeId}.${packed}`, LIVES_FOR);
}

export function clearNoScriptCart(): string {
  return serverCookie(NO_SCRIPT_CART_COOKIE, "", 0);
}

/**
 * Merges both guest carts into the account's cart: the one in the cookie, and the one in the form's fields. Safe to
 * repeat. If one of the merges fails, the result says that the merge has failed. The response of the sign-in has to set
 * `cookies`, which empty the cookie.
 */
export async function mergeGuestCarts(
  on: Db,
  userId: string,
  request: Request,
  form: { guestCart?: string; mergeId?: string },
): Promise<{ merged: MergeAnswer; cookies: string[] }> {
  const { mergeId, items } = readNoScriptCart(request);
  const code = guestCode(request); // newer than the account's own
  if (code) await setCode(on, userId, code);
  const noScript = await mergeFromForm(on, userId, { guestCart: JSON.stringify(items), mergeId });
  const merged = await mergeFromForm(on, userId, form);
  const noCode = code ? [codeCookie(null)] : [];
  if (!noScript.ok) return { merged: noScript, cookies: noCode };
  const cookies = items.length > 0 ? [clearNoScriptCart(), ...noCode] : noCode;
  if (!merged.ok) return { merged, cookies };
  return {
    merged: {
      ...merged, // including the lines that the script then removes
      added: [...new Set([...noScript.added, ...merged.added])],
      adjusted: noScript.adjusted || merged.adjusted,
      skipped: [...noScript.skipped, ...merged.skipped],
      ...((noScript.dropped ?? merged.dropped) && {
        dropped: [...(noScript.dropped ?? []), ...(merged.dropped ?? [])],
      }),
      ...((noScript.capped ?? merged.capped) && { capped: [...(noScript.capped ?? []), ...(merged.capped ?? [])] }),
    },
    cookies,
  };
}
