import type { Currency } from "#app/catalog/currency/country.ts";
import { type PriceMoney, priceNumber } from "#app/catalog/structured-data.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import { deliveryDays, packingDays } from "./delivery-time.ts";
import { NIGERIA } from "./nigeria.ts";
import type { ShippingRates } from "./shipping.ts";

/** The price of delivery to countries, given by their codes; with `isMost` it is the highest of several. */
export type DeliveryPrice = { cents: UsdCents; isMost?: boolean; countries: string[] };

/**
 * The prices of delivery to the countries whose pages show this currency first: in naira the highest of Nigeria's
 * states, in dollars each price abroad. Empty if the shop does not deliver there.
 */
export function deliveryPrices(currency: Currency, { states, countries }: ShippingRates): DeliveryPrice[] {
  if (currency === "NGN") {
    const prices = states.flatMap(({ rateCents }) => rateCents ?? []);
    if (prices.length === 0) return [];
    const most = Math.max(...prices);
    return [{ cents: usdCents(most), isMost: Math.min(...prices) < most, countries: [NIGERIA.code] }];
  }
  const byPrice = Map.groupBy(countries, ({ rateCents }) => rateCents);
  return [...byPrice].map(([cents, places]) => ({ cents, countries: places.map(({ code }) => code) }));
}

const DAYS_ID = "#days";

/** schema.org's OfferShippingDetails for prices that all have the same days, which only the first one spells out. */
export function deliveryData(prices: readonly DeliveryPrice[], money: PriceMoney, numbers: Numbers) {
  return prices.map(({ cents, isMost, countries }, at) => ({
    "@id": `#delivery-${at}`,
    "@type": "OfferShippingDetails",
    shippingRate: {
      "@type": "MonetaryAmount",
      [isMost ? "maxValue" : "value"]: priceNumber(cents, money),
      currency: money.currency,
    },
    shippingDestination: countries.map((code) => ({ "@type": "DefinedRegion", addressCountry: code })),
    deliveryTime: at === 0 ? daysTo(countries[0] ?? "", numbers) : { "@id": DAYS_ID },
  }));
}

function daysTo(country: string, numbers: Numbers) {
  const days = ({ from, to }: { from: number; to: number }) => ({
    "@type": "QuantitativeValue",
    minValue: from,
    maxValue: to,
    unitCode: "DAY",
  });
  return {
    "@id": DAYS_ID,
    "@type": "ShippingDeliveryTime",
    handlingTime: days(packingDays(numbers)),
    transitTime: days(deliveryDays(country, numbers)),
  };
}
