import { store } from "#app/infra/storage.browser.ts";
import * as messages from "#app/messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toaster.tsx";
import { isGuest } from "./guest-cart.browser.ts";

/** In local storage from the press of a guest to the sign-in. */
export const CHECKOUT_INTENT = "checkoutIntent";

/** To the checkout; a guest is told to sign in first (`onGuest` offers how) and goes on there. */
type Props = { children: string; onLeave?(): void; onGuest(): void };

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
        toast.error(messages.checkout.loggedOut);
        onGuest();
      }}
    >
      {children}
    </ButtonLink>
  );
}
