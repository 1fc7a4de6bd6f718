import { isPersonName } from "#app/infra/person-name.ts";
import { messages } from "#app/messages.ts";
import {
  foldNigerianPhone,
  HOME_DELIVERY,
  isNigeria,
  isNigerianPhone,
  isPostalCode,
  PICK_UP,
  type ShippingField,
  type ShippingFields,
  type ShippingRates,
} from "./shipping.ts";

type Check = (value: string) => string | undefined;
type Checks = Partial<Record<ShippingField, Check>>;
export type ShippingErrors = Partial<Record<ShippingField, string>>;
/** Whether a number is one of a country (ISO 3166 alpha-2). What knows that is heavy: only the server has it. */
export type PhoneAbroad = (number: string, country: string) => boolean;

const short =
  (max = 100): Check =>
  (value) =>
    value.length > max ? messages.form.tooLong : undefined;
const filled =
  (label: string, max = 100): Check =>
  (value) =>
    value ? short(max)(value) : messages.form.required(label);
const both =
  (first: Check, second: (value: string) => boolean, problem: string): Check =>
  (value) =>
    first(value) ?? (second(value) ? undefined : problem);
const oneOf = (places: { name: string }[], label: string): Check =>
  both(short(1000), (value) => places.some(({ name }) => name === value), messages.form.required(label));

const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i;
const person = {
  country: () => undefined,
  firstName: both(filled("first name"), isPersonName, messages.form.notAName),
  lastName: both(filled("last name"), isPersonName, messages.form.notAName),
  email: both(filled("email"), (value) => EMAIL.test(value), messages.form.email),
} satisfies Checks;
const nigerian = {
  ...person,
  phoneNumber: (value: string) => (isNigerianPhone(foldNigerianPhone(value)) ? undefined : messages.checkout.phone),
} satisfies Checks;

/** The country that a form names, by its name or its code. */
export function countryIn(countries: ShippingRates["countries"], posted: string) {
  return countries.find(({ code, name }) => [code, name].includes(posted));
}

/** The fields that count in the form's variant, each with its check; what is not among them is dropped. */
function checksOf({ country, deliveryType }: ShippingFields, rates: ShippingRates, phoneAbroad: PhoneAbroad): Checks {
  if (!isNigeria(country)) return abroad(country, rates, phoneAbroad);
  if (deliveryType === HOME_DELIVERY)
    return {
      ...nigerian,
      deliveryType: short(),
      state: oneOf(rates.states, "state"),
      localGovernment: short(),
      address: filled("address", 200),
      apartment: short(),
      city: short(),
      landmark: short(200),
    };
  if (deliveryType === PICK_UP)
    return { ...nigerian, deliveryType: short(), pickupCenter: oneOf(rates.pickups, "pick-up center") };
  return { ...nigerian, deliveryType: () => messages.form.required("delivery type") };
}

function abroad(posted: string, { countries }: ShippingRates, phoneAbroad: PhoneAbroad): Checks {
  const code = countryIn(countries, posted)?.code;
  if (!code) return { ...person, country: () => messages.form.required("country") };
  return {
    ...person,
    phoneNumber: (value) => (phoneAbroad(value, code) ? undefined : messages.checkout.phone),
    address: filled("address", 200),
    apartment: short(),
    city: filled("city"),
    state: filled("state or region"),
    postalCode: both(filled("postal code", 20), (value) => isPostalCode(value, code), messages.form.postalCode),
  };
}

/**
 * What is wrong with a shipping form, as sentences by field, and what of it counts. The browser asks when a field is left, the server before it
 * believes anything.
 */
export function checkShipping(
  fields: ShippingFields,
  rates: ShippingRates,
  phoneAbroad: PhoneAbroad,
): { errors: ShippingErrors; counting: ShippingField[] } {
  const checks = Object.entries(checksOf(fields, rates, phoneAbroad)) as [ShippingField, Check][];
  const errors: ShippingErrors = {};
  for (const [name, check] of checks) {
    const problem = check(fields[name].trim());
    if (problem) errors[name] = problem;
  }
  return { errors, counting: checks.map(([name]) => name) };
}
