import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { emailedText, queueMail } from "#app/infra/mail.server.ts";
import type { ReadShipping } from "#app/shipping/form.server.ts";
import { pickupCenter } from "#app/shipping/rates.server.ts";
import { locationOf, SHIPPING_FIELDS, type ShippingField, type ShippingForm } from "#app/shipping/shipping.ts";
import { moveToAddress } from "../claim/claim.server.ts";
import { formOf, type Order } from "../lifecycle.server.ts";
import { placeMail } from "../mail-data.ts";

/** An address as the shipping form has it, without errors. */
export type NewAddress = Extract<ReadShipping, { ok: true }>;

/**
 * Writes another address into an order, which the caller has locked, and into its sale, and tells the shopper by mail.
 * The paid sums and the way of delivery do not change; pick-up has no way. A landmark or local government that was left
 * unchanged while the place changed is emptied; `keepsLandmark` says that the landmark also fits the new address.
 * Returns the changed fields. If there are none, nothing is written.
 */
export async function writeAddress(
  trx: Transaction,
  { order, saleId, reference }: { order: Order; saleId: string; reference: string },
  { form: typed, destination }: NewAddress,
  keepsLandmark: boolean,
): Promise<ShippingField[]> {
  const { shipping } = order;
  const before = formOf(shipping);
  const form = withoutOldPlace(before, typed, keepsLandmark);
  const changed = SHIPPING_FIELDS.filter((name) => before[name] !== form[name]);
  if (changed.length === 0) return changed;
  const { deliveryWay, ...others } = shipping;
  const way = deliveryWay && destination.kind !== "pickup" ? { deliveryWay } : {};
  const address = { ...others, ...form, ...way, location: locationOf(destination, form.country) };
  const set = { email: form.email, shipping: JSON.stringify(address) };
  await trx
    .updateTable("orders")
    .set({ ...set, updatedAt: sql`now()` })
    .where("id", "=", order.id)
    .execute();
  await trx.updateTable("sales").set(set).where("id", "=", saleId).execute();
  if (changed.includes("email")) await moveToAddress(trx, order.id, form.email);
  const center = await pickupCenter(trx, form.pickupCenter);
  const data = placeMail({ ...order, shipping: address }, reference, env, center);
  const key = `address:${saleId}:${randomUUID()}`;
  await queueMail(trx, { key, recipient: form.email, kind: "order-address", data });
  return changed;
}

/** The audit log's text about a change. The order's history reads the fields from it. */
export function changeWords(changed: readonly ShippingField[], email: string): string {
  return `address changed: ${changed.join(", ")}${emailedText(email)}`;
}

/** The fields that a landmark or a local government belongs to. */
const PLACE: ShippingField[] = ["deliveryType", "address", "city", "state", "localGovernment"];

/** Empties a landmark or local government that was left unchanged while the place itself changed. */
function withoutOldPlace(before: ShippingForm, form: ShippingForm, keepsLandmark: boolean): ShippingForm {
  const isLeft = (name: ShippingField) => form[name] === before[name];
  const hasMoved = PLACE.some((name) => !isLeft(name));
  return {
    ...form,
    landmark: hasMoved && isLeft("landmark") && !keepsLandmark ? "" : form.landmark,
    localGovernment: !isLeft("state") && isLeft("localGovernment") ? "" : form.localGovernment,
  };
}
