import type { ShippingFields } from "./shipping.ts";

type Place = Pick<
  ShippingFields,
  | "address"
  | "apartment"
  | "city"
  | "country"
  | "landmark"
  | "localGovernment"
  | "pickupCenter"
  | "postalCode"
  | "state"
>;

/** Where an order goes, as the lines of an address without its name. */
export function placeLines(place: Place): string[] {
  const { pickupCenter, apartment, address, landmark, city, localGovernment, state, postalCode, country } = place;
  const joined = (...parts: string[]) => parts.filter(Boolean).join(", ");
  const lines = pickupCenter
    ? [`Pick-up: ${pickupCenter}`]
    : [
        joined(apartment, address),
        landmark && `Near ${landmark}`,
        joined(city, localGovernment),
        joined(state, postalCode),
      ];
  return [...lines, country].filter(Boolean);
}
