import { type FormEvent, useCallback } from "react";
import { CHECKOUT_INTENT } from "#app/cart/checkout-link.tsx";
import { forgetGuestCart, refreshCart } from "#app/cart/store.browser.ts";
import { store } from "#app/infra/storage.browser.ts";
import * as messages from "#app/messages.ts";
import { toast } from "#app/ui/toaster.tsx";
import { rememberUser } from "./summary.browser.ts";

const AFTER_SIGN_OUT = 2000;

/** Takes what belongs to the account out of this browser. What belongs to nobody stays: the currency, the pages that can be read offline. */
function forgetAccount(): void {
  rememberUser(null);
  forgetGuestCart();
  store(CHECKOUT_INTENT, null);
  try {
    sessionStorage.clear(); // half-filled forms, changes on their way
  } catch {} // refused: then nothing was kept
}

/** Ends the session and what the browser remembers of it, then goes home (after `wait` ms). For a form that posts to /logout without script. */
export function useSignOut(wait = 0): (event: FormEvent) => Promise<void> {
  return useCallback(
    async (event: FormEvent) => {
      event.preventDefault();
      const response = await fetch("/logout", { method: "POST", redirect: "manual" }).catch(() => undefined);
      if (response?.type !== "opaqueredirect") return void toast.error(messages.form.unavailable); // still signed in
      forgetAccount();
      void refreshCart();
      setTimeout(() => location.assign("/"), wait);
    },
    [wait],
  );
}

export { AFTER_SIGN_OUT };
