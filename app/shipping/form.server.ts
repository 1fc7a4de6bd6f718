import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { checkShipping, type ShippingErrors } from "./check.ts";
import { normalizeNigerianPhone } from "./phone.ts";
import {
  countryIn,
  type Destination,
  destinationOf,
  HOME_DELIVERY,
  isNigeria,
  NIGERIA,
  PICK_UP,
  type ShippingFields,
  type ShippingForm,
  type ShippingRates,
  shippingFields,
} from "./shipping.ts";
import { stateNamed } from "./state-names.ts";

export type ReadShipping =
  | { ok: true; form: ShippingForm; destination: Destination }
  | { ok: false; errors: ShippingErrors; fields: ShippingFields };

const MAX_LENGTH = 1000;

/** Reads the shipping form of either variant. Errors are sentences by field name; `fields` is what to show again. */
export function readShippingForm(posted: FormData | URLSearchParams, rates: ShippingRates): ReadShipping {
  const fields = shippingFields((name) => cleanText(posted.get(name)));
  const { errors, counting } = checkShipping(fields, rates, isPhoneOf);
  if (Object.keys(errors).length > 0) return { ok: false, errors, fields };
  const isHere = isNigeria(fields.country);
  const counted = shippingFields((name) => (counting.includes(name) ? fields[name] : ""));
  if (isHere && counted.state) counted.state = stateNamed(rates.states, counted.state)?.name ?? counted.state;
  const destination = destinationOf(counted, rates);
  if (!destination) throw new Error("a shipping form without a destination, which the check let through");
  const form: ShippingForm = {
    ...counted,
    country: isHere ? NIGERIA.name : (countryIn(rates.countries, counted.country)?.name ?? ""),
    phoneNumber: isHere ? normalizeNigerianPhone(counted.phoneNumber) : counted.phoneNumber,
    deliveryType: DELIVERY_TYPES[destination.kind],
  };
  return { ok: true, form, destination };
}

const DELIVERY_TYPES: Record<Destination["kind"], ShippingForm["deliveryType"]> = {
  home: HOME_DELIVERY,
  pickup: PICK_UP,
  abroad: "",
};

function cleanText(posted: FormDataEntryValue | null): string {
  const text = typeof posted === "string" ? posted : "";
  return text.slice(0, MAX_LENGTH).toWellFormed().trim();
}

/** A number's country is told by its calling code: the United States and Canada have one together. */
function isPhoneOf(number: string, country: string): boolean {
  if (!isSupportedCountry(country)) return false;
  const phone = parsePhoneNumberFromString(number, country);
  return phone?.isValid() === true && phone.countryCallingCode === getCountryCallingCode(country);
}
