import { rateInForce } from "#app/catalog/rates.server.ts";
import { db } from "#app/infra/database/db.server.ts";
import { DELIVERY_DAYS, dayRange, PROCESSING_DAYS } from "#app/shipping/delivery-time.ts";
import { ShippingPrices } from "#app/shipping/prices.tsx";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { PolicyPage } from "#app/ui/frame/policy-page.tsx";
import type { Route } from "./+types/shipping-policy";

export const meta: Route.MetaFunction = () =>
  pageMeta({
    title: "Shipping | Irepo",
    description: `Nigeria in ${dayRange(DELIVERY_DAYS.nigeria)} business days, abroad in ${dayRange(DELIVERY_DAYS.abroad)}, after ${dayRange(PROCESSING_DAYS)} business days of processing.`,
  });

export async function loader() {
  const [rates, { rate }] = await Promise.all([loadShippingRates(db()), rateInForce(db())]);
  return { rates, rate };
}

export default function ShippingPolicy({ loaderData: { rates, rate } }: Route.ComponentProps) {
  return (
    <PolicyPage title="Shipping Policy">
      <h2>Processing</h2>
      <p>{`Orders are processed in ${dayRange(PROCESSING_DAYS)} business days.`}</p>
      <h2>Delivery times</h2>
      <ul>
        <li>{`Within Nigeria: ${dayRange(DELIVERY_DAYS.nigeria)} business days, to your door or to a pick-up center.`}</li>
        <li>{`International: ${dayRange(DELIVERY_DAYS.abroad)} business days.`}</li>
      </ul>
      <h2 id="prices">What it costs</h2>
      <p>
        The price of delivery depends on your state, pick-up center or country. The checkout names it before you pay.
      </p>
      <ShippingPrices rates={rates} rate={rate} />
      <h2>Tracking</h2>
      <p>After your order has left, tracking may take up to 48 hours to update.</p>
      <h2>Damaged on the way?</h2>
      <p>Please tell us within 48 hours of delivery; a photo helps.</p>
    </PolicyPage>
  );
}
