import { spaceInitials } from "#app/infra/text/person-name.ts";
import { typedText } from "#app/infra/text/typed-text.ts";
import * as messages from "#app/messages.ts";
import { checkShipping, type ShippingErrors } from "./check.ts";
import { normalizeNigerianPhone, plainPhone } from "./phone.ts";
import { phoneAbroad } from "./phone-abroad.ts";
import { normalizePostalCode } from "./postal-code.ts";
import {
  countryIn,
  type DeliveryWay,
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
import { wayTo } from "./ways/ways.ts";

export type ReadShipping =
  | { ok: true; form: ShippingForm; destination: Destination; way?: DeliveryWay }
  | { ok: false; errors: ShippingErrors; fields: ShippingFields };

const MAX_LENGTH = 1000;

/**
 * Reads the shipping form, in either variant. Errors are sentences by field name. `fields` are the values to show
 * again. `way`: the chosen way of delivery; absent for the standard one, and for pick-up.
 */
export function readShippingForm(posted: FormData | URLSearchParams, rates: ShippingRates): ReadShipping {
  const deliveryWay = cleanText(posted.get("deliveryWay"));
  const fields = { ...shippingFields((name) => cleanText(posted.get(name))), ...(deliveryWay && { deliveryWay }) };
  const { errors, counting } = checkShipping(
    fields,
    rates,
    (number, country) => phoneAbroad(number, country) !== undefined,
  );
  if (Object.keys(errors).length > 0) return { ok: false, errors, fields };
  const isHere = isNigeria(fields.country);
  const counted = shippingFields((name) => (counting.includes(name) ? fields[name] : ""));
  if (isHere && counted.state) counted.state = stateNamed(rates.states, counted.state)?.name ?? counted.state;
  const destination = destinationOf(counted, rates);
  if (!destination) throw new Error("a shipping form without a destination, which the check let through");
  const way = wayTo(destination, rates, deliveryWay);
  if (deliveryWay && !way && destination.kind !== "pickup")
    return { ok: false, errors: { deliveryWay: messages.order.wayGone }, fields: { ...fields, deliveryWay: "" } };
  const abroad = countryIn(rates.countries, counted.country);
  const form: ShippingForm = {
    ...counted,
    country: isHere ? NIGERIA.name : (abroad?.name ?? ""),
    firstName: spaceInitials(counted.firstName),
    lastName: spaceInitials(counted.lastName),
    phoneNumber: isHere
      ? normalizeNigerianPhone(counted.phoneNumber)
      : (phoneAbroad(plainPhone(counted.phoneNumber), abroad?.code ?? "") ?? ""),
    postalCode: normalizePostalCode(counted.postalCode, abroad?.code ?? ""),
    deliveryType: DELIVERY_TYPES[destination.kind],
  };
  return { ok: true, form, destination, ...(way && { way }) };
}

const DELIVERY_TYPES: Record<Destination["kind"], ShippingForm["deliveryType"]> = {
  home: HOME_DELIVERY,
  pickup: PICK_UP,
  abroad: "",
};

function cleanText(posted: FormDataEntryValue | null): string {
  const text = typeof posted === "string" ? posted : "";
  return typedText(text.slice(0, MAX_LENGTH).toWellFormed()).trim();
}
