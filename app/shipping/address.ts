import type { PickupCenter, ShippingField } from "./shipping.ts";

type AddressFields = Omit<Record<ShippingField, string>, "email" | "deliveryType">;

const joined = (...parts: string[]) => parts.filter(Boolean).join(", ");

/**
 * An order's address as lines: person, place, country, phone. The same in mails, on the order's page and at the
 * provider.
 */
export function addressLines(shipping: AddressFields): string[] {
  const { firstName, lastName, phoneNumber } = shipping;
  return [`${firstName} ${lastName}`.trim(), ...placeLines(shipping), phoneNumber].filter(Boolean);
}

/** The address on one line, without the person. */
export function addressText(shipping: AddressFields): string {
  return joined(...placeLines(shipping));
}

/** A landmark that begins with a preposition, such as "Opposite the mosque". */
const SAYS_WHERE =
  /^(near|opposite|opp|beside|behind|before|after|by|next|close|in|inside|at|on|off|along|across|around|between|adjacent|facing|under)\b/i;

function placeLines(shipping: AddressFields): string[] {
  const { pickupCenter, apartment, address, landmark, city, localGovernment, state, postalCode, country } = shipping;
  const place = pickupCenter
    ? [`Pick-up: ${pickupCenter}`]
    : [
        joined(apartment, address),
        landmark && (SAYS_WHERE.test(landmark) ? landmark : `Near ${landmark}`),
        joined(city, localGovernment),
        joined(state, postalCode),
      ];
  return [...place, country];
}

/** The rows for a pick-up centre: where and when to pick up, and what to bring, as far as the owner has given it. */
export function pickupRows({
  name,
  address,
  state,
  landmark,
  hours,
  bring,
}: PickupCenter): { title: string; text: string }[] {
  const place = [name, address || state, landmark].filter(Boolean).join(". ");
  return [
    { title: "Place", text: place },
    { title: "Open", text: hours },
    { title: "Bring", text: bring },
  ].filter(({ text }) => text !== "");
}
