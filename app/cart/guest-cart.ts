import { type GuestItem, readGuestCart } from "./guest-item.ts";

/** The guest's cart in local storage `cart`. `cartUserId` says whose cart it is: nobody's is a guest's. */
export function isGuest(): boolean {
  return !localStorage.getItem("cartUserId");
}

export function guestItems(): GuestItem[] {
  return readGuestCart(localStorage.getItem("cart"));
}

export function writeGuestItems(items: GuestItem[]): void {
  localStorage.setItem("cart", JSON.stringify(items));
  localStorage.removeItem("cartMergeId"); // another cart than the one that may have been brought along
}

/** The name of this guest cart: bringing the same one along twice adds nothing twice. */
export function guestCartForSignIn(): { guestCart: string; mergeId: string } {
  const items = isGuest() ? guestItems() : [];
  if (items.length === 0) return { guestCart: "", mergeId: "" };
  const mergeId = localStorage.getItem("cartMergeId") ?? crypto.randomUUID();
  localStorage.setItem("cartMergeId", mergeId);
  return { guestCart: JSON.stringify(items), mergeId };
}

export function forgetGuestCart(): void {
  localStorage.removeItem("cart");
  localStorage.removeItem("cartMergeId");
}
