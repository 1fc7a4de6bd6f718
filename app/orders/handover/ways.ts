import { isNigeria } from "#app/shipping/nigeria.ts";
import type { ShippingDetails } from "#db/types.ts";

/** The ways of delivery that are no rows of the owner's. Standard delivery abroad asks for no code. */
export const STANDARD = "standard";
export const PICK_UP = "pick-up";

/** The way of an order as `handover_ways` names it. Undefined if the way can never ask for a code. */
export function handoverWay({
  country,
  pickupCenter,
  deliveryWay,
}: Pick<ShippingDetails, "country" | "pickupCenter" | "deliveryWay">): string | undefined {
  if (deliveryWay) return deliveryWay.id;
  if (pickupCenter) return PICK_UP;
  return isNigeria(country) ? STANDARD : undefined;
}
