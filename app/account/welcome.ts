import { rememberUser } from "#app/account/session/summary.browser.ts";
import type { UserSummary } from "#app/account/session/summary.ts";
import { CHECKOUT_INTENT } from "#app/cart/checkout-link.tsx";
import type { MergeAnswer } from "#app/cart/merge.ts";
import { applyMerge, refreshCart } from "#app/cart/store.browser.ts";
import { readStored, store } from "#app/infra/storage.browser.ts";
import * as messages from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";

/** The response to a successful sign-in: the user, the path to continue with, and the result of the cart merge. */
export type Welcome = { user: UserSummary; next: string; merged: MergeAnswer };

/** The time in ms between a sign-in and the next page, from the specification. */
export const AFTER_SIGN_IN = 2000;

/**
 * Shows that the sign-in worked and what the merge did, and stores the user. The guest cart stays if the merge failed.
 * Returns the path to continue with: the checkout, if a guest had pressed Checkout and the cart was merged.
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
