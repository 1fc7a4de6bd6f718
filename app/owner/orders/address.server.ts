import type { Actor } from "#app/infra/audit.server.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { changeWords, type NewAddress, writeAddress } from "#app/orders/address/change.server.ts";
import type { ShippingErrors } from "#app/shipping/check.ts";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { loadShippingRates } from "#app/shipping/rates.server.ts";
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
  )((trx) => changeSaleAddress(trx, reference, read, keepsLandmark));
}

async function changeSaleAddress(
  trx: Transaction,
  reference: string,
  address: NewAddress,
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
  const { order } = known;
  if (address.form.country !== order.shipping.country)
    return { ok: false, problem: "Another country has another delivery: cancel the order, and have it made anew" };
  const changed = await writeAddress(trx, { order, saleId: sale.id, reference }, address, keepsLandmark);
  if (changed.length === 0) return { ok: true, what: "the address is as it was", isRepeat: true };
  return { ok: true, what: changeWords(changed, address.form.email) };
}
