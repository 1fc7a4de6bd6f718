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

/** Asks visitors who are not signed in to log in. Opens the shop after a minute. */
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

/** Tells a shopper with an open checkout that the pending transfer has arrived. */
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

/**
 * The notice for an empty cart. The text differs if the cart was emptied while this page was open (`wasFull`), for
 * example in another tab.
 */
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
      <ButtonLink to="/shop">Continue Shopping</ButtonLink>{" "}
      <ButtonLink to="/account" look="quiet">
        Your orders
      </ButtonLink>
    </Notice>
  );
}

/** The notice for a cart of which nothing is in stock. */
export function SoldOut({ short }: { short: NamedShortage[] }) {
  return (
    <Notice title={messages.order.nothingLeft}>
      <p className="text-lg">{shortText(short)}</p>
      <ButtonLink to="/shop">Continue Shopping</ButtonLink>
    </Notice>
  );
}
