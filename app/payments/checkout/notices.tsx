import { useEffect } from "react";
import { useNavigate } from "react-router";
import { MINUTE } from "#app/infra/durations.ts";
import * as messages from "#app/messages.ts";
import type { NewSale } from "#app/orders/news/news.ts";
import type { NamedShortage } from "#app/orders/units.ts";
import { shortText } from "#app/payments/problem-text.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/frame/notice.tsx";
import { Link } from "#app/ui/link.tsx";

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

/** The payment that was waited for has arrived, while its shopper looked on. */
export function Arrived({ number, reference, sum }: NewSale) {
  return (
    <Notice title="Your payment has arrived">
      <p role="status" className="text-lg">
        {messages.payment.done}
      </p>
      <p>
        Order <b className="price font-semibold">{number}</b>, <span className="price">{sum}</span>
      </p>
      <ButtonLink to={`/order/${reference}`}>See your order</ButtonLink>
    </Notice>
  );
}

/** Two texts: came with an empty cart, or it became empty (in another tab) while this page was open. */
export function Empty({ wasFull, sale }: { wasFull: boolean; sale?: NewSale | null }) {
  return (
    <Notice title={wasFull ? messages.checkout.emptied : messages.checkout.emptyTitle}>
      {!wasFull && <p className="text-lg">{messages.checkout.emptyText}</p>}
      {sale && (
        <p>
          Your order{" "}
          <Link to={`/order/${sale.reference}`} className="price underline underline-offset-4">
            {sale.number}
          </Link>{" "}
          is paid.
        </p>
      )}
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
