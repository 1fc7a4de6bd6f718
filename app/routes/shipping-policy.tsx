import { rateInForce } from "#app/catalog/rates.server.ts";
import { numberedText } from "#app/content/published.server.ts";
import { shippingText } from "#app/content/shipping.tsx";
import { PageText } from "#app/content/text.tsx";
import { db } from "#app/infra/database/db.server.ts";
import { SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { dayRange, packingDays, standardDays } from "#app/shipping/delivery-time.ts";
import { ShippingPrices } from "#app/shipping/prices.tsx";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { pageMeta } from "#app/ui/frame/page-meta.ts";
import { PolicyPage } from "#app/ui/frame/policy-page.tsx";
import type { Route } from "./+types/shipping-policy";

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const { numbers = SHIPPED_NUMBERS } = loaderData ?? {};
  const { nigeria, abroad } = standardDays(numbers);
  const description = `Nigeria in ${dayRange(nigeria)} business days, abroad in ${dayRange(abroad)}, after ${dayRange(packingDays(numbers))} business days of processing.`;
  return pageMeta(matches, { title: "Shipping", description });
};

export async function loader({ request }: Route.LoaderArgs) {
  const [rates, { rate }, { text, numbers }] = await Promise.all([
    loadShippingRates(db()),
    rateInForce(db()),
    numberedText(db(), "shipping", request),
  ]);
  return { rates, rate, text, ...(numbers && { numbers }) };
}

export default function ShippingPolicy({
  loaderData: { rates, rate, text, numbers = SHIPPED_NUMBERS },
}: Route.ComponentProps) {
  const prices = <ShippingPrices rates={rates} rate={rate} />;
  return (
    <PolicyPage title="Shipping Policy">
      {text ? <PageText blocks={text} prices={prices} /> : shippingText(prices, numbers)}
    </PolicyPage>
  );
}
