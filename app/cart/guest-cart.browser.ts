import { readStored, store } from "#app/infra/storage.browser.ts";
import { type GuestItem, readGuestCart, withoutLines } from "./guest-item.ts";
import type { Line } from "./merge.ts";
import { randomId } from "./random-id.ts";

/**
 * The id of the user whose cart is shown, from local storage `cartUserId`; null for a guest. A guest's own cart is in
 * local storage `cart`.
 */
export function cartOwner(): string | null {
  return readStored("cartUserId") || null;
}

export function isGuest(): boolean {
  return cartOwner() === null;
}

export function guestItems(): GuestItem[] {
  return readGuestCart(readStored("cart"));
}

export function writeGuestItems(items: GuestItem[]): void {
  store("cart", JSON.stringify(items));
}

/**
 * The guest cart as a sign-in or a registration sends it. `mergeId` stays the same until the account has the cart, so
 * that a retry adds no unit twice.
 */
export function guestCartForSignIn(): { items: GuestItem[]; mergeId: string } {
  const items = guestItems();
  if (items.length === 0) return { items, mergeId: "" };
  const mergeId = readStored("cartMergeId") ?? randomId();
  store("cartMergeId", mergeId);
  return { items, mergeId };
}

/** Sets the guest cart's merge id, for items that the account may already have merged under that id. */
export function setMergeId(mergeId: string | null): void {
  store("cartMergeId", mergeId);
}

/** Removes the merged lines from the guest cart. Units added in the meantime stay. */
export function removeMerged(lines: Line[]): void {
  const rest = withoutLines(guestItems(), lines);
  forgetGuestCart(); // also forgets the merge id: the rest is a new cart
  if (rest.length > 0) writeGuestItems(rest);
}

export function forgetGuestCart(): void {
  store("cart", null);
  store("cartMergeId", null);
}
