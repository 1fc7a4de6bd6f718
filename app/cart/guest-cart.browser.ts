import { readStored, store } from "#app/infra/storage.browser.ts";
import { type GuestItem, readGuestCart, withoutLines } from "./guest-item.ts";
import type { Line } from "./merge.ts";
import { randomId } from "./random-id.ts";

/** The guest's cart in local storage `cart`. `cartUserId` says whose cart is shown: nobody's is a guest's. */
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

/** What a sign-in or a registration sends of the guest cart. `mergeId` is the same until the account has the cart: no unit is added twice under it. */
export function guestCartForSignIn(): { items: GuestItem[]; mergeId: string } {
  const items = guestItems();
  if (items.length === 0) return { items, mergeId: "" };
  const mergeId = readStored("cartMergeId") ?? randomId();
  store("cartMergeId", mergeId);
  return { items, mergeId };
}

/** Gives the guest cart the merge id under which the account may have just these items already. */
export function setMergeId(mergeId: string | null): void {
  store("cartMergeId", mergeId);
}

/** Removes what the account has now; what was added meanwhile stays. */
export function removeMerged(lines: Line[]): void {
  const rest = withoutLines(guestItems(), lines);
  forgetGuestCart(); // with its merge id: what is left is another cart
  if (rest.length > 0) writeGuestItems(rest);
}

export function forgetGuestCart(): void {
  store("cart", null);
  store("cartMergeId", null);
}
