import { formatUsd } from "#app/money/format.ts";
import type { UsdCents } from "#app/money/money.ts";

/** Where an order goes; `country` is an ISO 3166 alpha-2 code. */
export type Destination =
  | { kind: "home"; state: string }
  | { kind: "pickup"; center: string }
  | { kind: "abroad"; country: string };

export type PickupCenter = {
  name: string;
  rateCents: UsdCents;
  state: string;
  address: string;
  landmark: string;
  hours: string;
};
/** A state is offered even when the owner has set no rate for it: it is free then, and without a price while no state has one. */
export type RatedState = { name: string; rateCents?: UsdCents };
/** A country abroad; `name` is its English name, `code` its ISO 3166 alpha-2 code. */
export type RatedCountry = { code: string; name: string; rateCents: UsdCents };

/** Everything that the shop delivers to, each list in alphabetical order. */
export type ShippingRates = { states: RatedState[]; pickups: PickupCenter[]; countries: RatedCountry[] };

export const NIGERIA = { code: "NG", name: "Nigeria" } as const;
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

/** The rate of a destination; undefined when the owner has set none (it then counts as 0). */
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

/** A rate as it stands beside a place. */
export function rateShown(rateCents: UsdCents): string {
  return rateCents === 0 ? "free" : formatUsd(rateCents);
}

export function shippingCost(destination: Destination, rates: ShippingRates): UsdCents {
  return rateOf(destination, rates) ?? (0 as UsdCents);
}

/** Where a form, or an order with its fields, goes; undefined while that is open, or where the shop does not deliver to the country. */
export function destinationOf(
  {
    country,
    deliveryType,
    state,
    pickupCenter,
  }: Pick<ShippingFields, "country" | "deliveryType" | "state" | "pickupCenter">,
  rates: ShippingRates,
): Destination | undefined {
  if (!isNigeria(country)) {
    const abroad = rates.countries.find(({ name }) => name === country);
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
/** The form as the shopper filled it in, trimmed and with the phone number folded. */
export type ShippingForm = Omit<ShippingFields, "deliveryType"> & {
  deliveryType: "" | typeof HOME_DELIVERY | typeof PICK_UP;
};

/** A country is posted by its name or its code; a browser's old form may carry either. */
export function isNigeria(country: string): boolean {
  return /^(nigeria|ng)$/i.test(country.trim());
}

/** What must be filled in before Pay Now turns blue; undefined while no country or delivery type is chosen. */
export function requiredFields({ country, deliveryType }: ShippingFields): readonly ShippingField[] | undefined {
  const always = ["country", "firstName", "lastName", "email", "phoneNumber"] as const;
  if (!country) return;
  if (!isNigeria(country)) return [...always, "address", "city", "state", "postalCode"];
  if (deliveryType === HOME_DELIVERY) return [...always, "deliveryType", "address", "state"];
  if (deliveryType === PICK_UP) return [...always, "deliveryType", "pickupCenter"];
  return;
}

/** Whether Pay Now is enabled; the server looks closer. */
export function isComplete(fields: ShippingFields): boolean {
  return requiredFields(fields)?.every((name) => fields[name].trim() !== "") ?? false;
}

/** "+234 803-123 4567" -> "08031234567": what a Nigerian number was written as, in its local form. Not yet checked. */
export function foldNigerianPhone(text: string): string {
  const digits = text.replace(/[\s\-.()]/g, "");
  const local = /^(?:\+?234)0?(\d{10})$/.exec(digits) ?? /^([789]\d{9})$/.exec(digits);
  return local ? `0${local[1]}` : digits;
}

export function isNigerianPhone(folded: string): boolean {
  return /^\d{11}$/.test(folded);
}

/** Countries whose postal codes have letters, or are written with some in front. */
const LETTERED =
  "AC AD AI AR AZ BB BM BN CA EC FK GB GG GH GI HN HT IE IM IO JE JM KI KY KZ LC LT LV LY MD MS MT MU NL NR PE PS SH SO SZ TA TC TL VC VE VG WS";
/** Countries without postal codes, or whose people hardly know theirs. */
const WITHOUT_CODES =
  "AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GM GQ GY HK KE KM KN KP ML MO MR MW NA NU QA RW SB SC SL SR SS ST SX SY TD TG TK TO TT TV TZ UG VU YE ZW";
/** Any short text is taken there. */
const ANY_TEXT = new Set(`${LETTERED} ${WITHOUT_CODES}`.split(" "));

/** Whether a numeric keypad fits the country's postal codes. */
export function hasNumericPostalCode(countryCode: string): boolean {
  return !ANY_TEXT.has(countryCode);
}

export function isPostalCode(text: string, countryCode: string): boolean {
  const shape = hasNumericPostalCode(countryCode) ? /^\d[\d\s-]{1,9}$/ : /^[A-Z0-9][A-Z0-9\s-]{1,11}$/i;
  return shape.test(text);
}
