import { type UsdCents, usdCents } from "#app/money/money.ts";
import type { OrderedWay } from "#db/types.ts";
import { NIGERIA } from "../nigeria.ts";
import { type DeliveryWay, type Destination, type ShippingRates, shippingCost } from "../shipping.ts";
import { stateNamed } from "../state-names.ts";

/** The place of every state of Nigeria. */
export const ALL_NIGERIA = `country ${NIGERIA.code}`;

/** The ways that serve a destination, by price. Empty if there is only the standard one. */
export function waysTo(destination: Destination | undefined, { ways }: Pick<ShippingRates, "ways">): DeliveryWay[] {
  if (!destination || !ways) return [];
  return ways.filter((way) => serves(way, destination));
}

function serves({ places }: DeliveryWay, destination: Destination): boolean {
  switch (destination.kind) {
    case "pickup":
      return false;
    case "abroad":
      return places.includes(`country ${destination.country}`);
    case "home": {
      const states = places.flatMap((place) => (place.startsWith("state ") ? [{ name: place.slice(6) }] : []));
      return places.includes(ALL_NIGERIA) || stateNamed(states, destination.state) !== undefined;
    }
  }
}

/** The way with this id to a destination. Undefined for the standard way (""), and if it isn't offered there. */
export function wayTo(
  destination: Destination | undefined,
  rates: Pick<ShippingRates, "ways">,
  id: string | undefined,
): DeliveryWay | undefined {
  return id ? waysTo(destination, rates).find((way) => way.id === id) : undefined;
}

/** The price of delivery in US cents with the way of this id, as the form shows it; else that of the standard one. */
export function costOf(destination: Destination, rates: ShippingRates, id: string | undefined): UsdCents {
  return wayTo(destination, rates, id)?.rateCents ?? shippingCost(destination, rates);
}

/**
 * What the order pays for its delivery, in US cents. Free delivery pays the standard rate: with another way the rest
 * stays to pay.
 */
export function deliveryToPay(
  { shippingCents, standardCents = shippingCents }: { shippingCents: UsdCents; standardCents?: UsdCents },
  isFree: boolean,
): UsdCents {
  return isFree ? usdCents(Math.max(0, shippingCents - standardCents)) : shippingCents;
}

/** The way as an order keeps it. */
export function orderedWay({ id, name, fromDays, toDays, orderBy }: DeliveryWay): OrderedWay {
  return { id, name, fromDays, toDays, orderBy };
}
