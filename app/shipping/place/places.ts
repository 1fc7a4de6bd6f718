import type { UsdCents } from "#app/money/money.ts";
import {
  type Destination,
  HOME_DELIVERY,
  NIGERIA,
  nameOf,
  PICK_UP,
  type ShippingFields,
  type ShippingRates,
} from "../shipping.ts";
import { type DestinationKind, isOfKind, type PricedPlace } from "./place.ts";

/** The unique key of a destination: "home Lagos", "pickup Yaba", "abroad GH". */
export function placeKey(destination: Destination): string {
  return `${destination.kind} ${nameOf(destination)}`;
}

/** Every place with a price: states, pick-up centres, countries, each sorted by name. */
export function placesOf({ states, pickups, countries }: ShippingRates): PricedPlace[] {
  return [
    ...states.flatMap(({ name, rateCents }) => (rateCents === undefined ? [] : [place("home", name, name, rateCents)])),
    ...pickups.map(({ name, rateCents }) => place("pickup", name, name, rateCents)),
    ...countries.map(({ code, name, rateCents }) => place("abroad", code, name, rateCents)),
  ];
}

function place(kind: DestinationKind, code: string, name: string, rateCents: UsdCents): PricedPlace {
  return { key: `${kind} ${code}`, name, rateCents };
}

/** The form's fields that describe a place. Empty if the shop does not deliver there. */
export function fieldsOfPlace(key: string | null, rates: ShippingRates): Partial<ShippingFields> {
  const place = placesOf(rates).find((one) => one.key === key);
  if (!place) return {};
  if (isOfKind(place, "abroad")) return { country: place.name };
  const country = NIGERIA.name;
  if (isOfKind(place, "home")) return { country, deliveryType: HOME_DELIVERY, state: place.name };
  return { country, deliveryType: PICK_UP, pickupCenter: place.name };
}
