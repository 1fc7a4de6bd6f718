import { useEffect } from "react";
import { useNavigate } from "react-router";
import { MINUTE } from "#app/infra/durations.ts";
import { messages } from "#app/messages.ts";
import type { NamedShortage } from "#app/orders/units.ts";
import { shortText } from "#app/payments/problem-text.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";

const SIGNED_OUT_WAIT = MINUTE;

/** For whoever is not signed in; after a while it goes to the shop. */
export function LoginPrompt() {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => navigate("/shop"), SIGNED_OUT_WAIT);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <Notice title="Checkout">
      <p className="text-lg">{messages.checkout.loginPrompt}</p>
      <ButtonLink to="/login?next=/checkout">Login</ButtonLink>
    </Notice>
  );
}

/** Two texts: came with an empty cart, or it became empty (in another tab) while this page was open. */
export function Empty({ wasFull }: { wasFull: boolean }) {
  return (
    <Notice title={wasFull ? messages.checkout.emptied : messages.checkout.emptyTitle}>
      {!wasFull && <p className="text-lg">{messages.checkout.emptyText}</p>}
      <ButtonLink to="/shop">Continue Shopping</ButtonLink>
      <ButtonLink to="/account" look="quiet">
        Your orders
      </ButtonLink>
    </Notice>
  );
}

/** Nothing of the cart can still be had. */
export function SoldOut({ short }: { short: NamedShortage[] }) {
  return (
    <Notice title={messages.order.nothingLeft}>
      <p className="text-lg">{shortText(short)}</p>
      <ButtonLink to="/shop">Continue Shopping</ButtonLink>
    </Notice>
  );
}
