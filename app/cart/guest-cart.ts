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
  store("cartMergeId", null); // first: it names another cart than this one
  store("cart", JSON.stringify(items));
}

/** What a guest's cart brings along to a sign-in, and its name: bringing the same one along twice adds nothing twice. */
export function guestCartForSignIn(): { items: GuestItem[]; mergeId: string } {
  const items = guestItems();
  if (items.length === 0) return { items, mergeId: "" };
  const mergeId = readStored("cartMergeId") ?? randomId();
  store("cartMergeId", mergeId);
  return { items, mergeId };
}

/** The account may have taken just these pieces under this name already. */
export function nameGuestCart(mergeId: string): void {
  if (guestItems().length > 0) store("cartMergeId", mergeId);
}

/** What the account has now is no guest's any more; what was put in meanwhile stays. */
export function forgetBrought(brought: Line[]): void {
  const rest = withoutLines(guestItems(), brought);
  if (rest.length > 0) writeGuestItems(rest);
  else forgetGuestCart();
}

export function forgetGuestCart(): void {
  store("cart", null);
  store("cartMergeId", null);
}
