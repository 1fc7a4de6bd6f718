import { rememberUser } from "#app/account/session/summary.browser.ts";
import type { UserSummary } from "#app/account/session/summary.ts";
import { CHECKOUT_INTENT } from "#app/cart/checkout-link.tsx";
import type { MergeAnswer } from "#app/cart/merge.ts";
import { applyMerge, refreshCart } from "#app/cart/store.browser.ts";
import { readStored, store } from "#app/infra/storage.browser.ts";
import * as messages from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";

/** What the browser is told of a sign-in that worked: who it is, where to go, what became of the guest cart. */
export type Welcome = { user: UserSummary; next: string; merged: MergeAnswer };

/** The specification's time between a sign-in and what follows it. */
export const AFTER_SIGN_IN = 2000;

/**
 * Says that the sign-in worked and what became of the guest cart, which stays where the merge failed, and remembers who it is. Answers
 * where to go: a guest who had pressed Checkout with what is now in the cart goes on there.
 */
export function welcome({ user, merged, next }: Welcome, text: string): string {
  toast.success(text);
  if (merged.ok) applyMerge(merged);
  else toast.error(messages.cart.mergeFailed);
  rememberUser(user);
  void refreshCart();
  const wantsCheckout = readStored(CHECKOUT_INTENT) !== null && merged.ok && merged.guestLines.length > 0;
  store(CHECKOUT_INTENT, null);
  return wantsCheckout && next === "/" ? "/checkout" : next;
}
