import { store } from "#app/infra/storage.browser.ts";
import * as messages from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { isGuest } from "./guest-cart.browser.ts";

/** The local storage key that is set when a guest presses Checkout, and removed after the sign-in. */
export const CHECKOUT_INTENT = "checkoutIntent";

type Props = { children: string; onLeave?(): void; onGuest(): void };

/**
 * The link to the checkout. A guest first gets a message to sign in; `onGuest` offers the login, which leads on to the
 * checkout.
 */
export function CheckoutLink({ children, onLeave, onGuest }: Props) {
  return (
    <ButtonLink
      to="/checkout"
      className="w-full"
      onClick={(event) => {
        onLeave?.();
        if (!isGuest()) return;
        event.preventDefault();
        store(CHECKOUT_INTENT, "true");
        toast(messages.checkout.loggedOut);
        onGuest();
      }}
    >
      {children}
    </ButtonLink>
  );
}
