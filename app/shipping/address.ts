import type { PickupCenter, ShippingFields } from "./shipping.ts";

type Place = Omit<ShippingFields, "email" | "deliveryType">;

const joined = (...parts: string[]) => parts.filter(Boolean).join(", ");

/** Where an order goes as lines of an address: person, place, country, phone. The same in mails, on the order's page and at the provider. */
export function addressLines(shipping: Place): string[] {
  const { firstName, lastName, phoneNumber } = shipping;
  return [`${firstName} ${lastName}`.trim(), ...placeLines(shipping), phoneNumber].filter(Boolean);
}

/** The same without the person, on one line. */
export function placeText(shipping: Place): string {
  return joined(...placeLines(shipping));
}

function placeLines(shipping: Place): string[] {
  const { pickupCenter, apartment, address, landmark, city, localGovernment, state, postalCode, country } = shipping;
  const place = pickupCenter
    ? [`Pick-up: ${pickupCenter}`]
    : [
        joined(apartment, address),
        landmark && `Near ${landmark}`,
        joined(city, localGovernment),
        joined(state, postalCode),
      ];
  return [...place, country];
}

/** Where to pick up, when, and what to bring: a row each, as far as the owner has said it. */
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
