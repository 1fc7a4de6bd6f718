import { readStored, store } from "#app/infra/browser-storage.ts";
import { type GuestItem, readGuestCart } from "./guest-item.ts";

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
  store("cartMergeId", null); // another cart than the one that may have been brought along
}

/** The name of this guest cart: bringing the same one along twice adds nothing twice. */
export function guestCartForSignIn(): { guestCart: string; mergeId: string } {
  const items = isGuest() ? guestItems() : [];
  if (items.length === 0) return { guestCart: "", mergeId: "" };
  const mergeId = readStored("cartMergeId") ?? crypto.randomUUID();
  store("cartMergeId", mergeId);
  return { guestCart: JSON.stringify(items), mergeId };
}

export function forgetGuestCart(): void {
  store("cart", null);
  store("cartMergeId", null);
}
