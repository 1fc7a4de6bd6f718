import { EMAIL_MAX, isEmail } from "#app/infra/email-address.ts";
import { isPersonName, spaceInitials } from "#app/infra/text/person-name.ts";
import { typedText } from "#app/infra/text/typed-text.ts";
import * as messages from "#app/messages.ts";
import { isNigerianPhone, normalizeNigerianPhone, plainPhone } from "./phone.ts";
import { isPostalCode, normalizePostalCode } from "./postal-code.ts";
import {
  type CheckoutField,
  countingFields,
  countryIn,
  destinationOf,
  isNigeria,
  type ShippingField,
  type ShippingFields,
  type ShippingRates,
  variantOf,
} from "./shipping.ts";
import { stateNamed } from "./state-names.ts";
import { wayTo } from "./ways/ways.ts";

export type ShippingErrors = Partial<Record<CheckoutField, string>>;
/** Whether a phone number from `plainPhone` belongs to a country (ISO 3166 alpha-2). */
export type PhoneAbroad = (number: string, country: string) => boolean;

const MAX_LENGTH = 100;
const MAX_LENGTHS: Partial<Record<ShippingField, number>> = {
  email: EMAIL_MAX,
  address: 200,
  landmark: 200,
  postalCode: 20,
};

const LABELS: Partial<Record<ShippingField, string>> = {
  firstName: "first name",
  lastName: "last name",
  phoneNumber: "phone number",
  deliveryType: "delivery type",
  state: "state or region",
  postalCode: "postal code",
  pickupCenter: "pick-up center",
};

/** A field's label within a sentence: "first name". */
function labelOf(name: ShippingField, { country }: Pick<ShippingFields, "country">): string {
  return name === "state" && isNigeria(country) ? "state" : (LABELS[name] ?? name);
}

function missing(name: ShippingField, fields: ShippingFields): string {
  return messages.form.required(labelOf(name, fields));
}

/**
 * Adapts the fields of an earlier order or an old draft to the current rates: a state may have another name there, and
 * a pick-up centre or a way of delivery may no longer exist.
 */
export function withOfferedPlaces(fields: ShippingFields, rates: ShippingRates): ShippingFields {
  const adapted = isNigeria(fields.country) ? withOfferedPlace(fields, rates) : fields;
  if (!adapted.deliveryWay || wayTo(destinationOf(adapted, rates), rates, adapted.deliveryWay)) return adapted;
  return { ...adapted, deliveryWay: "" };
}

function withOfferedPlace(fields: ShippingFields, { states, pickups }: ShippingRates): ShippingFields {
  const state = stateNamed(states, fields.state)?.name ?? "";
  const isOffered = pickups.some(({ name }) => name === fields.pickupCenter);
  return { ...fields, state, pickupCenter: isOffered ? fields.pickupCenter : "" };
}

/** The fields in the form's order, which starts with the place. */
const AS_ASKED: ShippingField[] = [
  "country",
  "deliveryType",
  "pickupCenter",
  "state",
  "address",
  "city",
  "postalCode",
  "firstName",
  "lastName",
  "email",
  "phoneNumber",
];

/**
 * The fields that are empty or wrong, in the form's order, with labels such as "your state" or "a valid phone number".
 */
export function stillNeeded(
  fields: ShippingFields,
  rates: ShippingRates,
  errors: ShippingErrors,
): { name: ShippingField; label: string }[] {
  const { required } = countingFields(fields, rates);
  return AS_ASKED.filter((name) => errors[name] || (required.includes(name) && fields[name].trim() === "")).map(
    (name) => ({ name, label: `${fields[name].trim() === "" ? "your" : "a valid"} ${labelOf(name, fields)}` }),
  );
}

/**
 * Checks a shipping form. Returns its errors as sentences by field, and the fields that count in this variant. The
 * browser calls it when a field loses focus, the server before it accepts the form.
 */
export function checkShipping(
  fields: ShippingFields,
  rates: ShippingRates,
  phoneAbroad: PhoneAbroad,
): { errors: ShippingErrors; counting: readonly ShippingField[] } {
  const { required, optional } = countingFields(fields, rates);
  const counting = [...required, ...optional];
  const errors: ShippingErrors = {};
  for (const name of counting) {
    const isEmpty = fields[name].trim() === "";
    if (isEmpty && optional.includes(name)) continue;
    const problem = isEmpty ? missing(name, fields) : problemOf(name, fields, rates, phoneAbroad);
    if (problem) errors[name] = name === "phoneNumber" ? messages.checkout.phone : problem;
  }
  return { errors, counting };
}

/** The problem of a non-empty field. Undefined if there is none. */
function problemOf(
  name: ShippingField,
  fields: ShippingFields,
  { states, pickups, countries }: ShippingRates,
  phoneAbroad: PhoneAbroad,
): string | undefined {
  const value = typedText(fields[name]).trim();
  if (value.length > (MAX_LENGTHS[name] ?? MAX_LENGTH)) return messages.form.tooLong;
  const variant = variantOf(fields, countries);
  const abroad = countryIn(countries, fields.country)?.code;
  const unless = (isRight: boolean, problem = missing(name, fields)) => (isRight ? undefined : problem);
  switch (name) {
    case "country":
      return unless(variant !== "no-country");
    case "deliveryType":
      return unless(variant !== "no-delivery-type");
    case "firstName":
    case "lastName":
      return unless(isPersonName(spaceInitials(value)), messages.form.notAName);
    case "email":
      return unless(isEmail(value), messages.form.email);
    case "phoneNumber":
      return unless(abroad ? phoneAbroad(plainPhone(value), abroad) : isNigerianPhone(normalizeNigerianPhone(value)));
    case "state":
      return unless(abroad !== undefined || stateNamed(states, value) !== undefined);
    case "pickupCenter":
      return unless(pickups.some((center) => center.name === value));
    case "postalCode":
      return unless(isPostalCode(normalizePostalCode(value, abroad ?? ""), abroad ?? ""), messages.form.postalCode);
  }
}
