import { sql } from "kysely";
import type { Actor } from "#app/infra/audit.server.ts";
import type { Db } from "#app/infra/database/db.server.ts";
import { formOf } from "#app/orders/lifecycle.server.ts";
import type { ShippingErrors } from "#app/shipping/check.ts";
import { type ReadShipping, readShippingForm } from "#app/shipping/form.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
import { locationOf, SHIPPING_FIELDS, type ShippingForm } from "#app/shipping/shipping.ts";
import { changeOrder } from "../change-order.server.ts";
import { lockKnownOrder } from "../known-order.server.ts";
import type { Done } from "../orders.server.ts";

/** Refused: what was wrong with which field. */
export type AddressDone = Done | { ok: false; problem: string; errors: ShippingErrors };

/**
 * Says where a sale goes that has not left yet: another address of the same country, by the rules of the shop's own form. Its sums stay as they were paid.
 * The audit log keeps which fields have changed, and not to what.
 */
export async function changeAddress(
  on: Db,
  by: Actor,
  reference: string,
  posted: FormData | URLSearchParams,
  seen?: string,
): Promise<AddressDone> {
  const read = readShippingForm(posted, await loadShippingRates(on));
  if (!read.ok) return { ok: false, problem: "Look at what is marked", errors: read.errors };
  return changeOrder(on, by, "orders address", reference, seen)((trx) => writeAddress(trx, reference, read));
}

async function writeAddress(
  trx: Parameters<typeof lockKnownOrder>[0],
  reference: string,
  { form, destination }: Extract<ReadShipping, { ok: true }>,
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
  if (form.country !== shipping.country)
    return { ok: false, problem: "Another country has another delivery: cancel the order, and have it made anew" };
  const changed = changedFields(formOf(shipping), form);
  if (changed.length === 0) return { ok: true, what: "the address is as it was", isRepeat: true };
  const set = {
    email: form.email,
    shipping: JSON.stringify({ ...shipping, ...form, location: locationOf(destination, form.country) }),
  };
  await trx
    .updateTable("orders")
    .set({ ...set, updatedAt: sql`now()` })
    .where("id", "=", known.order.id)
    .execute();
  await trx.updateTable("sales").set(set).where("id", "=", sale.id).execute();
  return { ok: true, what: `address changed: ${changed.join(", ")}` };
}

function changedFields(before: ShippingForm, after: ShippingForm): string[] {
  return SHIPPING_FIELDS.filter((name) => before[name] !== after[name]);
}
