import type { UsdCents } from "#app/money/money.ts";
import { isNigeria } from "../nigeria.ts";

export type DestinationKind = "home" | "pickup" | "abroad";

/** A place that the shop delivers to, for pages without a shipping form. `key` is unique. */
export type PricedPlace = { key: string; name: string; rateCents: UsdCents };

export function isOfKind({ key }: PricedPlace, kind: DestinationKind): boolean {
  return key.startsWith(`${kind} `);
}

/** The label beside a delivery's price: "Delivery to Lagos", "Pick-up at Yaba". */
export function deliveryName(kind: DestinationKind, place: string): string {
  if (!place) return "Delivery";
  return kind === "pickup" ? `Pick-up at ${place}` : `Delivery to ${place}`;
}

type Delivered = { country: string; state: string; pickupCenter: string; deliveryWay?: { name: string } };

/** The label for an order's delivery, from the fields of its form: "Delivery to Lagos", or with a way ", Express". */
export function orderDeliveryName({ deliveryWay, ...of }: Delivered): string {
  return [placeName(of), deliveryWay?.name].filter(Boolean).join(", ");
}

function placeName(of: Omit<Delivered, "deliveryWay">): string {
  if (of.pickupCenter) return deliveryName("pickup", of.pickupCenter);
  return isNigeria(of.country) ? deliveryName("home", of.state) : deliveryName("abroad", of.country);
}
