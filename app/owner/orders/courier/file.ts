import { countUnits } from "#app/cart/cart.ts";
import { variantText } from "#app/catalog/sizes.ts";
import { addressText } from "#app/shipping/address.ts";
import type { ShippingField } from "#app/shipping/shipping.ts";
import type { OrderLine } from "#db/types.ts";
import type { Cell, CourierColumn } from "./columns.ts";

type Line = Pick<OrderLine, "title" | "color" | "size" | "quantity">;
type Order = { number: string; shipping: Omit<Record<ShippingField, string>, "email" | "deliveryType">; lines: Line[] };
/** The shop as the sender: its name and address in lines. */
export type Sender = { lines: string[]; phone: string };

/** The rows of a courier's file, one for each order, in the order of the columns. */
export function courierRows(orders: Order[], columns: CourierColumn[], sender: Sender): string[][] {
  return orders.map((order) => columns.map(({ cell }) => FILLED[cell](order, sender)));
}

const FILLED: Record<Cell, (order: Order, sender: Sender) => string> = {
  number: ({ number }) => number,
  name: ({ shipping: { firstName, lastName } }) => `${firstName} ${lastName}`.trim(),
  phone: ({ shipping }) => dialled(shipping.phoneNumber),
  address: ({ shipping }) => addressText(shipping),
  street: ({ shipping: { apartment, address } }) => [apartment, address].filter(Boolean).join(", "),
  landmark: ({ shipping }) => shipping.landmark,
  city: ({ shipping }) => shipping.city,
  localGovernment: ({ shipping }) => shipping.localGovernment,
  state: ({ shipping }) => shipping.state,
  postalCode: ({ shipping }) => shipping.postalCode,
  country: ({ shipping }) => shipping.country,
  pickUp: ({ shipping }) => shipping.pickupCenter,
  pieces: ({ lines }) => String(countUnits(lines)),
  contents: ({ lines }) => lines.map((line) => `${line.quantity} × ${line.title}, ${variantText(line)}`).join("; "),
  sender: (_, { lines }) => lines.join(", "),
  senderPhone: (_, { phone }) => dialled(phone),
};

/**
 * A phone number with 00 instead of +. Spreadsheets take a leading + for a formula, so the export would put an
 * apostrophe before it.
 */
const dialled = (phone: string) => phone.replace(/^\+/, "00");
