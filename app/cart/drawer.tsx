import type { ReactNode } from "react";
import * as messages from "#app/messages.ts";
import type { Rate } from "#app/money/exchange-rate.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { Spinner } from "#app/ui/spinner.tsx";
import { CheckoutLink } from "./checkout-link.tsx";
import { CartFoot, CartList, EmptyCart, Undo } from "./list.tsx";
import { useCart, useCartDrawer } from "./store.browser.ts";

/** `delivery` is a text about the cost of delivery. */
type Props = { rate: Rate; delivery: ReactNode; onGuest(): void };

/** The cart in a drawer at the right edge. It loads the cart each time it opens. */
export function CartDrawer({ rate, delivery, onGuest }: Props) {
  const { isOpen, close } = useCartDrawer();
  return (
    <Dialog open={isOpen} onClose={close} title="CART" side="right">
      {isOpen && <Contents rate={rate} delivery={delivery} onLeave={close} onGuest={onGuest} />}
    </Dialog>
  );
}

function Contents({ rate, delivery, onLeave, onGuest }: Props & { onLeave(): void }) {
  const { cart, removed, failed } = useCart();
  if (!cart) {
    return (
      <div className="grid flex-1 place-items-center">
        {failed ? (
          <p className="px-6 text-center">{messages.cartOther.notLoaded}</p>
        ) : (
          <Spinner label="Loading your cart" />
        )}
      </div>
    );
  }
  if (cart.lines.length === 0) {
    return (
      <>
        <Undo removed={removed} />
        <EmptyCart onLeave={onLeave} />
      </>
    );
  }
  return (
    <>
      <div className="flex-1 overflow-y-auto">
        <Undo removed={removed} />
        <CartList cart={cart} rate={rate} onLeave={onLeave} />
      </div>
      <CartFoot cart={cart} rate={rate} delivery={delivery}>
        <CheckoutLink onLeave={onLeave} onGuest={onGuest}>
          CHECKOUT
        </CheckoutLink>
      </CartFoot>
    </>
  );
}
