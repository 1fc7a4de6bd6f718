import { forgetGuestCart, refreshCart } from "#app/cart/cart-store.ts";
import { messages } from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { rememberUser, type UserSummary } from "./session-summary.ts";

/** What the browser is told of a sign-in that worked: who it is, where to go, what became of the guest cart. */
export type Welcome = {
  user: UserSummary;
  next: string;
  merged: { ok: true; added: string[]; adjusted: boolean; skipped: string[] } | { ok: false };
};

/** The specification's time between a sign-in and what follows it. */
export const AFTER_SIGN_IN = 2000;

/** Remembers who signed in and says it, with what became of the guest cart; that stays where bringing it along failed. */
export function welcome({ user, merged }: Welcome, text: string): void {
  rememberUser(user);
  toast.success(text);
  if (!merged.ok) toast.error(messages.cart.mergeFailed);
  else {
    forgetGuestCart();
    if (merged.added.length > 0) toast(`Now in your cart: ${listOf(merged.added)}`);
    if (merged.adjusted) toast(messages.cart.adjusted);
    if (merged.skipped.length > 0) toast(`Sold out meanwhile: ${listOf(merged.skipped)}`);
  }
  void refreshCart();
}

const MOST_NAMED = 3;

function listOf(titles: string[]): string {
  const more = titles.length - MOST_NAMED;
  return titles.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
