import { type FormEvent, useCallback } from "react";
import { CHECKOUT_INTENT } from "#app/cart/checkout-link.tsx";
import { forgetGuestCart, refreshCart } from "#app/cart/store.browser.ts";
import { store } from "#app/infra/storage.browser.ts";
import * as messages from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { rememberUser } from "./summary.browser.ts";

const AFTER_SIGN_OUT = 2000;

/**
 * Removes the account's data from this browser. Data that belongs to no account stays, such as the currency and the
 * offline pages.
 */
function forgetAccount(): void {
  rememberUser(null);
  forgetGuestCart();
  store(CHECKOUT_INTENT, null);
  try {
    sessionStorage.clear(); // half-filled forms and unsent changes
  } catch {} // refused, so nothing was stored
}

/**
 * Ends the session, removes its data from the browser and opens the home page after `wait` ms. `onOut` is called at the
 * beginning of that time, to show something else. For a form that posts to /logout without JavaScript.
 */
export function useSignOut(wait = 0, onOut?: () => void): (event: FormEvent) => Promise<void> {
  return useCallback(
    async (event: FormEvent) => {
      event.preventDefault();
      const response = await fetch("/logout", { method: "POST", redirect: "manual" }).catch(() => undefined);
      if (response?.type !== "opaqueredirect") return void toast.error(messages.form.unavailable); // still signed in
      forgetAccount();
      void refreshCart();
      onOut?.();
      setTimeout(() => location.assign("/"), wait);
    },
    [wait, onOut],
  );
}

export { AFTER_SIGN_OUT };
