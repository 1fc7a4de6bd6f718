import { db } from "#app/infra/database/db.server.ts";
import { DELIVERY_DAYS } from "#app/shipping/delivery-days.ts";
import { ShippingPrices } from "#app/shipping/prices.tsx";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { PolicyPage } from "#app/ui/frame/policy-page.tsx";
import type { Route } from "./+types/shipping-policy";

const [processing, nigeria, abroad] = [DELIVERY_DAYS.processing, DELIVERY_DAYS.nigeria, DELIVERY_DAYS.abroad].map(
  (days) => days.join("-"),
);

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Shipping | Irepo",
    description: `Nigeria in ${nigeria} business days, abroad in ${abroad}, after ${processing} business days of processing.`,
  });

export async function loader() {
  return loadShippingRates(db());
}

export default function ShippingPolicy({ loaderData: rates }: Route.ComponentProps) {
  return (
    <PolicyPage title="Shipping Policy">
      <h2>Processing</h2>
      <p>Orders are processed in {processing} business days.</p>
      <h2>Delivery times</h2>
      <ul>
        <li>Within Nigeria: {nigeria} business days, to your door or to a pick-up center.</li>
        <li>International: {abroad} business days.</li>
      </ul>
      <h2 id="prices">What it costs</h2>
      <p>
        The price of delivery depends on your state, <span className="whitespace-nowrap">pick-up</span> center or
        country. The checkout names it before you pay.
      </p>
      <ShippingPrices rates={rates} />
      <h2>Tracking</h2>
      <p>After your order has left, tracking may take up to 48 hours to update.</p>
      <h2>Damaged on the way?</h2>
      <p>Please tell us within 48 hours of delivery, with a photograph.</p>
    </PolicyPage>
  );
}
