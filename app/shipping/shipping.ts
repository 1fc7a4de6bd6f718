import type { Currency } from "#app/catalog/currency/country.ts";
import { approximateNaira, chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatApproximateNaira, formatKobo, formatUsd } from "#app/money/format.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import { isNigeria, NIGERIA } from "./nigeria.ts";
import { postalCodeNeed } from "./postal-code.ts";
import { needsRegion } from "./regions.ts";

export { isNigeria, NIGERIA };

/** Where an order goes; `country` is an ISO 3166 alpha-2 code. */
export type Destination =
  | { kind: "home"; state: string }
  | { kind: "pickup"; center: string }
  | { kind: "abroad"; country: string };

/** What the owner says of a center beside its name and rate; empty where nothing is said. `bring`: what a shopper has to show there. */
export const PICKUP_DETAILS = ["state", "address", "landmark", "hours", "bring"] as const;
export type PickupDetails = Record<(typeof PICKUP_DETAILS)[number], string>;
export type PickupCenter = PickupDetails & { name: string; rateCents: UsdCents };
/** A state is offered even when the owner has set no rate for it: it is free then, and without a price while no state has one. */
export type RatedState = { name: string; rateCents?: UsdCents };
/** A country abroad; `name` is its English name, `code` its ISO 3166 alpha-2 code. */
export type RatedCountry = { code: string; name: string; rateCents: UsdCents };

/** Everything that the shop delivers to, each list in alphabetical order. */
export type ShippingRates = { states: RatedState[]; pickups: PickupCenter[]; countries: RatedCountry[] };

export const HOME_DELIVERY = "Home Delivery";
export const PICK_UP = "Pick-up";

/** The state, pick-up center or country code. */
export function nameOf(destination: Destination): string {
  switch (destination.kind) {
    case "home":
      return destination.state;
    case "pickup":
      return destination.center;
    case "abroad":
      return destination.country;
  }
}

/** What an order's documents call the place: the state, the pick-up center or the country's name. */
export function locationOf(destination: Destination, country: string): string {
  return destination.kind === "abroad" ? country : nameOf(destination);
}

/** The rate of a destination in US cents; undefined when the owner has set none (it then counts as 0). */
export function rateOf(destination: Destination, rates: ShippingRates): UsdCents | undefined {
  const name = nameOf(destination);
  switch (destination.kind) {
    case "home":
      return rates.states.find((state) => state.name === name)?.rateCents;
    case "pickup":
      return rates.pickups.find((center) => center.name === name)?.rateCents;
    case "abroad":
      return rates.countries.find((country) => country.code === name)?.rateCents;
  }
}

/** What delivery to a place costs, in words and the shopper's currency first: "$3.50, ≈ ₦5,600", "₦5,600, $3.50", or "free". */
export function rateShown(rateCents: UsdCents, rate: Rate, currency: Currency): string {
  if (rateCents === 0) return "free";
  if (currency === "NGN") return `${formatKobo(chargeInKobo(rateCents, rate))}, ${formatUsd(rateCents)}`;
  return `${formatUsd(rateCents)}, ${formatApproximateNaira(approximateNaira(rateCents, rate))}`;
}

/** What delivery costs in US cents, as the form shows it; the server's `shippingCents` decides. */
export function shippingCost(destination: Destination, rates: ShippingRates): UsdCents {
  return rateOf(destination, rates) ?? usdCents(0);
}

/** The country that a form names, by its name or its code; undefined where the shop does not deliver to it. */
export function countryIn(countries: RatedCountry[], posted: string): RatedCountry | undefined {
  return countries.find(({ code, name }) => code === posted || name === posted);
}

/** Where a form, or an order with its fields, goes; undefined while that is open, or where the shop does not deliver to the country. */
export function destinationOf(
  { country, deliveryType, state, pickupCenter }: Choice & Pick<ShippingFields, "state" | "pickupCenter">,
  { countries }: Pick<ShippingRates, "countries">,
): Destination | undefined {
  if (!isNigeria(country)) {
    const abroad = countryIn(countries, country);
    return abroad && { kind: "abroad", country: abroad.code };
  }
  if (deliveryType === HOME_DELIVERY && state) return { kind: "home", state };
  if (deliveryType === PICK_UP && pickupCenter) return { kind: "pickup", center: pickupCenter };
  return;
}

/** The fields of the shipping form, under the specification's names. */
export const SHIPPING_FIELDS = [
  "country",
  "firstName",
  "lastName",
  "email",
  "phoneNumber",
  "deliveryType",
  "address",
  "apartment",
  "city",
  "state",
  "localGovernment",
  "landmark",
  "postalCode",
  "pickupCenter",
] as const;
export type ShippingField = (typeof SHIPPING_FIELDS)[number];
export type ShippingFields = Record<ShippingField, string>;

/** A form whose every field holds what `textOf` says. */
export function shippingFields(textOf: (name: ShippingField) => string): ShippingFields {
  return Object.fromEntries(SHIPPING_FIELDS.map((name) => [name, textOf(name)])) as ShippingFields;
}

/** The form as the shopper filled it in, trimmed, and with a Nigerian phone number in its local form. */
export type ShippingForm = Omit<ShippingFields, "deliveryType"> & {
  deliveryType: "" | typeof HOME_DELIVERY | typeof PICK_UP;
};

type Choice = Pick<ShippingFields, "country" | "deliveryType">;
/** The form's variants, and the two states before one is chosen. */
export type Variant = "home" | "pickup" | "abroad" | "no-country" | "no-delivery-type";

export function variantOf({ country, deliveryType }: Choice, countries: RatedCountry[]): Variant {
  if (!isNigeria(country)) return countryIn(countries, country) ? "abroad" : "no-country";
  if (deliveryType === HOME_DELIVERY) return "home";
  return deliveryType === PICK_UP ? "pickup" : "no-delivery-type";
}

type Counting = { required: readonly ShippingField[]; optional: readonly ShippingField[] };
const PERSON = ["country", "firstName", "lastName", "email"] as const;
const REACHED = [...PERSON, "phoneNumber"] as const;

const COUNTING: Record<Exclude<Variant, "abroad">, Counting> = {
  "no-country": { required: PERSON, optional: [] },
  "no-delivery-type": { required: [...REACHED, "deliveryType"], optional: [] },
  home: {
    required: [...REACHED, "deliveryType", "address", "state"],
    optional: ["apartment", "city", "localGovernment", "landmark"],
  },
  pickup: { required: [...REACHED, "deliveryType", "pickupCenter"], optional: [] },
};

function countingAbroad(country: string): Counting {
  const postalCode = postalCodeNeed(country);
  return {
    required: [
      ...REACHED,
      "address",
      "city",
      ...(needsRegion(country) ? (["state"] as const) : []),
      ...(postalCode === "required" ? (["postalCode"] as const) : []),
    ],
    optional: ["apartment", ...(postalCode === "optional" ? (["postalCode"] as const) : [])],
  };
}

/** The fields that count in the form's variant: those that must be filled in, and those that may be. What else was posted is dropped. */
export function countingFields(fields: Choice, { countries }: Pick<ShippingRates, "countries">): Counting {
  const variant = variantOf(fields, countries);
  if (variant !== "abroad") return COUNTING[variant];
  return countingAbroad(countryIn(countries, fields.country)?.code ?? "");
}

/** Whether all that must be filled in is, so that Pay Now is enabled; the server looks closer. */
export function isComplete(fields: ShippingFields, rates: Pick<ShippingRates, "countries">): boolean {
  const { required } = countingFields(fields, rates);
  return destinationOf(fields, rates) !== undefined && required.every((name) => fields[name].trim() !== "");
}
