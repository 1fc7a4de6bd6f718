import type { ReactNode } from "react";
import type { Numbers } from "#app/numbers/numbers.ts";
import { dayRange, packingDays, standardDays } from "#app/shipping/delivery-time.ts";

/** The shipping policy until the owner changes it, with the delivery prices in their place. */
export function shippingText(prices: ReactNode, numbers: Numbers) {
  const { nigeria, abroad } = standardDays(numbers);
  return (
    <>
      <h2>Processing</h2>
      <p>{`Orders are processed in ${dayRange(packingDays(numbers))} business days.`}</p>
      <h2>Delivery times</h2>
      <ul>
        <li>{`Within Nigeria: ${dayRange(nigeria)} business days, to your door or to a pick-up center.`}</li>
        <li>{`International: ${dayRange(abroad)} business days.`}</li>
      </ul>
      <h2 id="prices">What it costs</h2>
      <p>
        The price of delivery depends on your state, pick-up center or country. The checkout names it before you pay.
      </p>
      {prices}
      <h2>Tracking</h2>
      <p>After your order has left, tracking may take up to 48 hours to update.</p>
      <h2>Damaged on the way?</h2>
      <p>{`Please tell us within ${numbers.damageHours} hours of delivery; a photo helps.`}</p>
    </>
  );
}
