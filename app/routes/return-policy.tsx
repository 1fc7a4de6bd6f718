import { ContactLink } from "#app/ui/frame/contact.tsx";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { PolicyPage } from "#app/ui/frame/policy-page.tsx";
import { Link } from "#app/ui/link.tsx";
import type { Route } from "./+types/return-policy";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Returns and exchanges | Irepo",
    description: "Return or exchange within 14 days of delivery. Refunds within 7 business days after approval.",
  });

export default function ReturnPolicy() {
  return (
    <PolicyPage title="Return Policy">
      <h2>Returns</h2>
      <p>You may return what you bought within 14 days of delivery. It must be unworn, unwashed and with its tags.</p>
      <h2>Exchanges</h2>
      <p>
        Another size or colour? Exchanges are possible within 14 days of delivery, as long as the piece is in stock.
      </p>
      <h2>Refunds</h2>
      <p>
        When we have received and approved your return, the refund is made within 7 business days, to the account that
        you paid from. Original shipping charges are non-refundable.
      </p>
      <h2>Damaged or incorrect items</h2>
      <p>Please tell us within 48 hours of delivery, with a photograph. We send the right piece or your money back.</p>
      <h2>What cannot be returned</h2>
      <p>Final sale items and gift cards cannot be returned.</p>
      <h2>How to begin</h2>
      <p>
        Open the order in <Link to="/account">your account</Link> and choose “Return or exchange”. A question before
        that? Write to <ContactLink /> with the number of your order.
      </p>
    </PolicyPage>
  );
}
