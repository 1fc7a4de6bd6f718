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
  const { shape, place } = variant(fields, rates);
  const parsed = shape.safeParse(fields);
  const errors: Partial<Record<ShippingField, string>> = {};
  for (const issue of parsed.error?.issues ?? []) errors[issue.path[0] as ShippingField] ??= issue.message;
  if (place && !place.among.some(({ name }) => name === fields[place.field]))
    errors[place.field] = messages.form.required(place.label);
  if (!parsed.success || Object.keys(errors).length > 0) return { ok: false, errors, fields };
  const { destination, ...form } = parsed.data;
  return { ok: true, form: { ...BLANK, ...form }, destination };
}

const BLANK = Object.fromEntries(SHIPPING_FIELDS.map((name) => [name, ""])) as ShippingForm;

type Filled = Partial<ShippingForm> & { destination: Destination };
/** `place`: a field whose value must be one of the places that we deliver to. */
type Variant = {
  shape: z.ZodType<Filled>;
  place?: { field: "state" | "pickupCenter"; label: string; among: { name: string }[] };
};

function variant({ country, deliveryType }: ShippingFields, rates: ShippingRates): Variant {
  if (isNigeria(country)) {
    if (deliveryType === PICK_UP)
      return { shape: pickup, place: { field: "pickupCenter", label: "pick-up center", among: rates.pickups } };
    if (deliveryType === HOME_DELIVERY)
      return { shape: home, place: { field: "state", label: "state", among: rates.states } };
    return { shape: undecided };
  }
  const found = rates.countries.find(({ code, name }) => [code, name].includes(country));
  return { shape: found ? abroad(found) : nowhere };
}

const text = (label: string, max = 100) =>
  z.string().min(1, messages.form.required(label)).max(max, messages.form.tooLong);
const optional = (max = 100) => z.string().max(max, messages.form.tooLong);
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

const home = z
  .object({
    ...nigerian,
    deliveryType: z.literal(HOME_DELIVERY),
    state: z.string(),
    localGovernment: optional(),
    address: text("address", 200),
    apartment: optional(),
    city: optional(),
    landmark: optional(200),
  })
  .transform((form) => ({ ...form, destination: { kind: "home", state: form.state } as const }));

const pickup = z
  .object({ ...nigerian, deliveryType: z.literal(PICK_UP), pickupCenter: z.string() })
  .transform((form) => ({ ...form, destination: { kind: "pickup", center: form.pickupCenter } as const }));

const shapes = new Map<string, z.ZodType<Filled>>();

/** Made once for each country: making one takes longer than reading a form with it. */
function abroad({ code, name }: { code: string; name: string }): z.ZodType<Filled> {
  const shape = shapes.get(code) ?? newAbroad(code, name);
  shapes.set(code, shape);
  return shape;
}

function newAbroad(code: string, name: string) {
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
