import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { queueMail } from "#app/infra/mail.server.ts";
import { formOf } from "#app/orders/lifecycle.server.ts";
import { placeMail } from "#app/orders/mail-data.ts";
import type { ShippingErrors } from "#app/shipping/check.ts";
import { type ReadShipping, readShippingForm } from "#app/shipping/form.server.ts";
import { loadShippingRates, pickupCenter } from "#app/shipping/rates.server.ts";
import { locationOf, SHIPPING_FIELDS, type ShippingField, type ShippingForm } from "#app/shipping/shipping.ts";
import { changeOrder } from "./change.server.ts";
import { lockKnownOrder } from "./lookup.server.ts";
import type { Done } from "./orders.server.ts";

/** `errors`: the invalid fields. */
export type AddressDone = Done | { ok: false; problem: string; errors: ShippingErrors };

/**
 * Changes the address of a sale that has not left, within the same country and by the rules of the shop's own form, and
 * tells the shopper by mail. The paid sums do not change. The audit log records which fields changed, but not their
 * values. The checkbox `landmarkStays` says that the landmark also fits the new address.
 */
export async function changeAddress(
  on: Db,
  by: Actor,
  reference: string,
  posted: FormData | URLSearchParams,
  seen?: string,
): Promise<AddressDone> {
  const read = readShippingForm(posted, await loadShippingRates(on));
  if (!read.ok) return { ok: false, problem: "Check the marked fields", errors: read.errors };
  const keepsLandmark = posted.get("landmarkStays") === "on";
  return changeOrder(
    on,
    by,
    "orders address",
    reference,
    seen,
  )((trx) => writeAddress(trx, reference, read, keepsLandmark));
}

async function writeAddress(
  trx: Parameters<typeof lockKnownOrder>[0],
  reference: string,
  { form: typed, destination }: Extract<ReadShipping, { ok: true }>,
  keepsLandmark: boolean,
): Promise<Done> {
  const known = await lockKnownOrder(trx, reference);
  const sale = await trx
    .selectFrom("sales")
    .select(["id", "fulfilledAt", "readyAt"])
    .where("reference", "=", reference)
    .executeTakeFirst();
  if (!known || !sale || known.order.state !== "sold")
    return { ok: false, problem: "Only where a paid order goes can be changed" };
  if (sale.fulfilledAt || sale.readyAt) return { ok: false, problem: "It has left already" };
  const { shipping } = known.order;
  if (typed.country !== shipping.country)
    return { ok: false, problem: "Another country has another delivery: cancel the order, and have it made anew" };
  const before = formOf(shipping);
  const form = withoutOldPlace(before, typed, keepsLandmark);
  const changed = changedFields(before, form);
  if (changed.length === 0) return { ok: true, what: "the address is as it was", isRepeat: true };
  const address = { ...shipping, ...form, location: locationOf(destination, form.country) };
  const set = { email: form.email, shipping: JSON.stringify(address) };
  await trx
    .updateTable("orders")
    .set({ ...set, updatedAt: sql`now()` })
    .where("id", "=", known.order.id)
    .execute();
  await trx.updateTable("sales").set(set).where("id", "=", sale.id).execute();
  const center = await pickupCenter(trx, form.pickupCenter);
  const data = placeMail({ ...known.order, shipping: address }, reference, env, center);
  const key = `address:${sale.id}:${randomUUID()}`;
  await queueMail(trx, { key, recipient: form.email, kind: "order-address", data });
  return { ok: true, what: `address changed: ${changed.join(", ")}; the shopper is emailed` };
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

function changedFields(before: ShippingForm, after: ShippingForm): string[] {
  return SHIPPING_FIELDS.filter((name) => before[name] !== after[name]);
}
