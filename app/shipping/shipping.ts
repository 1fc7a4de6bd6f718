import type { Currency } from "#app/catalog/currency/country.ts";
import { approximateNaira, chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatApproximateNaira, formatKobo, formatUsd } from "#app/money/format.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import type { OrderedWay } from "#db/types.ts";
import { isNigeria, NIGERIA } from "./nigeria.ts";
import { postalCodeNeed } from "./postal-code.ts";
import { needsRegion } from "./regions.ts";

export { isNigeria, NIGERIA };

/** An order's destination. `country` is an ISO 3166 alpha-2 code. */
export type Destination =
  | { kind: "home"; state: string }
  | { kind: "pickup"; center: string }
  | { kind: "abroad"; country: string };

/**
 * The details of a pick-up centre beside its name and rate; "" if the owner has not given one. `bring`: what the
 * shopper must show there.
 */
export const PICKUP_DETAILS = ["state", "address", "landmark", "hours", "bring"] as const;
export type PickupDetails = Record<(typeof PICKUP_DETAILS)[number], string>;
export type PickupCenter = PickupDetails & { name: string; rateCents: UsdCents };
/** A state is offered even without a rate of its own. Delivery is then free, or has no price if no state has a rate. */
export type RatedState = { name: string; rateCents?: UsdCents };
/** A country other than Nigeria: its English name and its ISO 3166 alpha-2 code. */
export type RatedCountry = { code: string; name: string; rateCents: UsdCents };

/**
 * A way of home delivery beside the standard one. `places`: what it serves, such as "state Lagos" or "country GH";
 * "country NG" is all of Nigeria. `rateCents`: its whole price there.
 */
export type DeliveryWay = OrderedWay & { places: readonly string[]; rateCents: UsdCents };

/**
 * Every place that the shop delivers to, each list sorted by name, and the further ways of delivery by price. `ways` is
 * absent if there are none.
 */
export type ShippingRates = {
  states: RatedState[];
  pickups: PickupCenter[];
  countries: RatedCountry[];
  ways?: DeliveryWay[];
};

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

/** The name of the place in an order's documents: the state, the pick-up centre or the country's name. */
export function locationOf(destination: Destination, country: string): string {
  return destination.kind === "abroad" ? country : nameOf(destination);
}

/** The rate of a destination in US cents. Undefined if the owner has set none. */
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

/** The price of delivery in words, in the shopper's currency first: "$3.50, ≈ ₦5,600", "₦5,600, $3.50" or "free". */
export function rateShown(rateCents: UsdCents, rate: Rate, currency: Currency): string {
  if (rateCents === 0) return "free";
  if (currency === "NGN") return `${formatKobo(chargeInKobo(rateCents, rate))}, ${formatUsd(rateCents)}`;
  return `${formatUsd(rateCents)}, ${formatApproximateNaira(approximateNaira(rateCents, rate))}`;
}

/** The price of delivery in US cents, as the form shows it. The server charges what `shippingCentsIn` returns. */
export function shippingCost(destination: Destination, rates: ShippingRates): UsdCents {
  return rateOf(destination, rates) ?? usdCents(0);
}

/** A country by the name or code that a form posts. Undefined if the shop does not deliver there. */
export function countryIn(countries: RatedCountry[], posted: string): RatedCountry | undefined {
  return countries.find(({ code, name }) => code === posted || name === posted);
}

/**
 * The destination of a form or order. Undefined while it is incomplete, or if the shop does not deliver to the country.
 */
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

/** The fields of the shipping form, named as in the specification. */
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
/** `deliveryWay`: the id of a further way of delivery; absent or "" for the standard one. */
export type ShippingFields = Record<ShippingField, string> & { deliveryWay?: string };
/** The fields of the checkout's form: those of the specification, and the way of delivery. */
export const CHECKOUT_FIELDS = [...SHIPPING_FIELDS, "deliveryWay"] as const;
export type CheckoutField = (typeof CHECKOUT_FIELDS)[number];

/** A form with the value `textOf(name)` for each field. */
export function shippingFields(textOf: (name: ShippingField) => string): ShippingFields {
  return Object.fromEntries(SHIPPING_FIELDS.map((name) => [name, textOf(name)])) as ShippingFields;
}

/** The form as the shopper filled it in, trimmed. A Nigerian phone number is in its local form. */
export type ShippingForm = Omit<Record<ShippingField, string>, "deliveryType"> & {
  deliveryType: "" | typeof HOME_DELIVERY | typeof PICK_UP;
};

type Choice = Pick<ShippingFields, "country" | "deliveryType">;
/** The form's variants, and its two states before one is chosen. */
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

/** The required and the optional fields of the form's variant. All other posted fields are dropped. */
export function countingFields(fields: Choice, { countries }: Pick<ShippingRates, "countries">): Counting {
  const variant = variantOf(fields, countries);
  if (variant !== "abroad") return COUNTING[variant];
  return countingAbroad(countryIn(countries, fields.country)?.code ?? "");
}

/** Whether every required field is filled in. `checkShipping` checks the values. */
export function isComplete(fields: ShippingFields, rates: Pick<ShippingRates, "countries">): boolean {
  const { required } = countingFields(fields, rates);
  return destinationOf(fields, rates) !== undefined && required.every((name) => fields[name].trim() !== "");
}
