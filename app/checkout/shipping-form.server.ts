import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js";
import {
  type Destination,
  foldNigerianPhone,
  isNigeria,
  NIGERIA,
  PICK_UP,
  SHIPPING_FIELDS,
  type ShippingFields,
  type ShippingForm,
  type ShippingRates,
} from "./shipping.ts";
import { checkShipping, countryIn, type ShippingErrors } from "./shipping-check.ts";

export type ReadShipping =
  | { ok: true; form: ShippingForm; destination: Destination }
  | { ok: false; errors: ShippingErrors; fields: ShippingFields };

/** Reads the shipping form of either variant. Errors are sentences by field name; `fields` is what to show again. */
export function readShippingForm(posted: FormData | URLSearchParams, rates: ShippingRates): ReadShipping {
  const fields = Object.fromEntries(
    SHIPPING_FIELDS.map((name) => [
      name,
      String(posted.get(name) ?? "")
        .slice(0, 1000)
        .toWellFormed()
        .trim(),
    ]),
  ) as ShippingFields;
  const { errors, counting } = checkShipping(fields, rates, isPhoneOf);
  if (Object.keys(errors).length > 0) return { ok: false, errors, fields };
  const form = Object.fromEntries(
    SHIPPING_FIELDS.map((name) => [name, counting.includes(name) ? fields[name] : ""]),
  ) as ShippingForm;
  if (isNigeria(fields.country)) {
    form.country = NIGERIA.name;
    form.phoneNumber = foldNigerianPhone(fields.phoneNumber);
    const destination: Destination =
      form.deliveryType === PICK_UP
        ? { kind: "pickup", center: form.pickupCenter }
        : { kind: "home", state: form.state };
    return { ok: true, form, destination };
  }
  const country = countryIn(rates.countries, fields.country);
  if (!country) throw new Error(`no rate for ${fields.country}, which the check let through`);
  return { ok: true, form: { ...form, country: country.name }, destination: { kind: "abroad", country: country.code } };
}

/** A number's country is told by its calling code: the United States and Canada have one together. */
function isPhoneOf(number: string, country: string): boolean {
  const phone = parsePhoneNumberFromString(number, country as CountryCode);
  return phone?.isValid() === true && phone.countryCallingCode === getCountryCallingCode(country as CountryCode);
}
