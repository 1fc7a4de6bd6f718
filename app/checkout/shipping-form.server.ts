// On the server only for the weight of its parts: the browser checks no more than `isComplete`.
import { type CountryCode, isValidPhoneNumber } from "libphonenumber-js";
import { z } from "zod";
import { messages } from "#app/messages.ts";
import {
  type Destination,
  foldNigerianPhone,
  HOME_DELIVERY,
  isNigeria,
  isNigerianPhone,
  isPostalCode,
  NIGERIA,
  PICK_UP,
  SHIPPING_FIELDS,
  type ShippingField,
  type ShippingFields,
  type ShippingForm,
  type ShippingRates,
} from "./shipping.ts";

export type ReadShipping =
  | { ok: true; form: ShippingForm; destination: Destination }
  | { ok: false; errors: Partial<Record<ShippingField, string>>; fields: ShippingFields };

/** Reads the shipping form of either variant. Errors are sentences by field name; `fields` is what to show again. */
export function readShippingForm(posted: FormData | URLSearchParams, rates: ShippingRates): ReadShipping {
  const fields = Object.fromEntries(
    SHIPPING_FIELDS.map((name) => [
      name,
      String(posted.get(name) ?? "")
        .slice(0, 1000)
        .trim(),
    ]),
  ) as ShippingFields;
  const parsed = variant(fields, rates).safeParse(fields);
  if (parsed.success) {
    const { destination, ...form } = parsed.data;
    return { ok: true, form: { ...BLANK, ...form }, destination };
  }
  const errors: Partial<Record<ShippingField, string>> = {};
  for (const issue of parsed.error.issues) errors[issue.path[0] as ShippingField] ??= issue.message;
  return { ok: false, errors, fields };
}

const BLANK = Object.fromEntries(SHIPPING_FIELDS.map((name) => [name, ""])) as ShippingForm;

type Filled = Partial<ShippingForm> & { destination: Destination };

function variant(fields: ShippingFields, rates: ShippingRates): z.ZodType<Filled> {
  if (isNigeria(fields.country)) {
    return fields.deliveryType === PICK_UP
      ? pickup(rates)
      : fields.deliveryType === HOME_DELIVERY
        ? home(rates)
        : undecided;
  }
  const country = rates.countries.find(({ code, name }) => [code, name].includes(fields.country));
  return country ? abroad(country) : nowhere;
}

const text = (label: string, max = 100) =>
  z.string().min(1, messages.form.required(label)).max(max, messages.form.tooLong);
const optional = (max = 100) => z.string().max(max, messages.form.tooLong);
const oneOf = (places: { name: string }[], label: string) =>
  z.string().refine((name) => places.some((place) => place.name === name), messages.form.required(label));

const person = {
  firstName: text("first name"),
  lastName: text("last name"),
  email: text("email").pipe(z.email(messages.form.email)),
};
const nigerian = {
  ...person,
  country: z.string().transform(() => NIGERIA.name),
  phoneNumber: z.string().transform(foldNigerianPhone).refine(isNigerianPhone, messages.checkout.phone),
};

function home(rates: ShippingRates) {
  return z
    .object({
      ...nigerian,
      deliveryType: z.literal(HOME_DELIVERY),
      state: oneOf(rates.states, "state"),
      localGovernment: optional(),
      address: text("address", 200),
      apartment: optional(),
      city: optional(),
      landmark: optional(200),
    })
    .transform((form) => ({ ...form, destination: { kind: "home", state: form.state } as const }));
}

function pickup(rates: ShippingRates) {
  return z
    .object({ ...nigerian, deliveryType: z.literal(PICK_UP), pickupCenter: oneOf(rates.pickups, "pick-up center") })
    .transform((form) => ({ ...form, destination: { kind: "pickup", center: form.pickupCenter } as const }));
}

function abroad({ code, name }: { code: string; name: string }) {
  return z
    .object({
      ...person,
      country: z.string().transform(() => name),
      phoneNumber: z
        .string()
        .refine((number) => isValidPhoneNumber(number, code as CountryCode), messages.checkout.phone),
      address: text("address", 200),
      apartment: optional(),
      city: text("city"),
      state: text("state or region"),
      postalCode: text("postal code", 20).refine((postalCode) => isPostalCode(postalCode, code), {
        error: messages.form.postalCode,
      }),
    })
    .transform((form) => ({ ...form, destination: { kind: "abroad", country: code } as const }));
}

/** Nigeria without a delivery type, or no country that we deliver to: nothing but errors comes of these. */
const undecided = z
  .object({ ...nigerian, deliveryType: z.string().refine(() => false, messages.form.required("delivery type")) })
  .transform(() => z.NEVER);
const nowhere = z
  .object({ ...person, country: z.string().refine(() => false, messages.form.required("country")) })
  .transform(() => z.NEVER);
