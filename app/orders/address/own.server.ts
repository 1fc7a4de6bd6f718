import { createHash } from "node:crypto";
import { recordChange, SHOPPER } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import * as messages from "#app/messages.ts";
import { chargeInKobo, FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { formatKobo } from "#app/money/format.ts";
import { usdCents } from "#app/money/money.ts";
import type { ShippingErrors } from "#app/shipping/check.ts";
import { readShippingForm } from "#app/shipping/form.server.ts";
import { offeredIn, type Rates, readRates, shippingCentsIn } from "#app/shipping/rates.server.ts";
import { type Destination, SHIPPING_FIELDS, type ShippingForm } from "#app/shipping/shipping.ts";
import { stateNamed } from "#app/shipping/state-names.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { stageOf } from "../fulfilment/progress.ts";
import { IS_MOVED_IN } from "../history.server.ts";
import { IS_MONEY_TAKEN } from "../issues.server.ts";
import { formOf, lockOrder, type Order } from "../lifecycle.server.ts";
import { HAS_PIECES_LEFT } from "../pieces-left.server.ts";
import { changeWords, writeAddress } from "./change.server.ts";

/**
 * Why a shopper cannot change an order. "ask": staff have to look at it, since nothing of it is left to
 * send, the bank may take its money back, nobody knows whether another shop has sent it, or the shop no longer delivers
 * that way.
 */
export type NotChangeable = "not-sold" | "given-back" | "too-late" | "ask";
type Refusal = { ok: false; why: NotChangeable };

/** The form of the order's address. `version` is another one after each change. */
export type AddressOffer = { ok: true; saleId: string; form: ShippingForm; version: string };

/**
 * "dearer": delivery to the new place costs more than was paid for it. "stale": somebody else has changed the address
 * since the form with another `version` was shown.
 */
export type OwnAddressDone =
  | { ok: true }
  | Refusal
  | { ok: false; why: "fields" | "dearer"; errors: ShippingErrors }
  | { ok: false; why: "stale"; version: string };

/** A sale that its shopper may still change. */
type Changeable = { ok: true; saleId: string; shipping: ShippingDetails; lines: OrderLine[] };

/** A shopper's own sale as long as it is not packed, or the reason why it cannot be changed. */
export async function readChangeable(
  on: Db | Transaction,
  userId: string,
  reference: string,
): Promise<Changeable | Refusal> {
  const sale = await on
    .selectFrom("sales")
    .innerJoin("orders", "orders.id", "sales.orderId")
    .select(["sales.id as saleId", "orders.state", "orders.shipping", "orders.lines"])
    .select(["packedAt", "fulfilledAt", "readyAt", "deliveredAt", "returnedAt"])
    .select([IS_MOVED_IN.as("isMovedIn"), IS_MONEY_TAKEN.as("isMoneyTaken"), HAS_PIECES_LEFT.as("hasPieces")])
    .where("sales.reference", "=", reference)
    .where("orders.userId", "=", userId)
    .where("orders.trial", "=", false)
    .executeTakeFirst();
  if (!sale) return refuse("not-sold");
  if (sale.state !== "sold") return refuse("given-back");
  if (stageOf(sale) !== "paid") return refuse("too-late");
  if (sale.isMovedIn || sale.isMoneyTaken || !sale.hasPieces) return refuse("ask");
  return { ok: true, saleId: sale.saleId, shipping: sale.shipping, lines: sale.lines };
}

/** The address that the shopper may change now, or the reason why it cannot be changed. */
export async function readAddressOffer(
  on: Db | Transaction,
  userId: string,
  reference: string,
): Promise<AddressOffer | Refusal> {
  const sale = await readChangeable(on, userId, reference);
  if (!sale.ok) return sale;
  return { ok: true, saleId: sale.saleId, form: formOf(sale.shipping), version: versionOf(sale.shipping) };
}

/**
 * Changes where a shopper's own order goes, in the same way as staff do, unless it is packed or its address cannot be
 * changed for another reason. Country and way of delivery stay, and the new place must cost no more in that way than
 * was paid; no difference is given back. Safe to repeat: the same form is one change and one mail.
 */
export async function changeOwnAddress(
  on: Db,
  userId: string,
  reference: string,
  posted: Partial<Record<string, string>>,
): Promise<OwnAddressDone> {
  const early = await readAddressOffer(on, userId, reference);
  if (!early.ok) return early; // without a lock on an order of another account
  return retryingTransaction(on, async (trx): Promise<OwnAddressDone> => {
    const { order } = await lockOrder(trx, reference); // packing takes the same lock
    const offer = await readAddressOffer(trx, userId, reference);
    if (!offer.ok) return offer;
    const rates = await readRates(trx);
    const read = readShippingForm(withFixedFields(posted, offer.form), offeredIn(rates));
    if (!read.ok) return refuseFields(read.errors);
    if (posted.version !== undefined && posted.version !== offer.version)
      return isAsAsked(offer.form, read.form) ? { ok: true } : { ok: false, why: "stale", version: offer.version };
    const errors = dearerPlace(rates, read.destination, order);
    if (errors) return { ok: false, why: "dearer", errors };
    const keepsLandmark = posted.landmarkStays === "on";
    const changed = await writeAddress(trx, { order, saleId: offer.saleId, reference }, read, keepsLandmark);
    if (changed.length === 0) return { ok: true };
    const { state } = order;
    await recordChange(trx, {
      by: SHOPPER,
      action: "orders address",
      subject: { kind: "order", id: reference },
      before: { state },
      after: { state, done: changeWords(changed, read.form.email) },
    });
    return { ok: true };
  });
}

/**
 * The posted form with what a shopper cannot change: the country and the way of delivery. The form for Nigeria does not
 * ask for the city, which stays as long as the street and the state do.
 */
function withFixedFields(posted: Partial<Record<string, string>>, before: ShippingForm): URLSearchParams {
  const { country, deliveryType } = before;
  const isThere = (["address", "state"] as const).every((name) => posted[name]?.trim() === before[name]);
  const city = posted.city ?? (isThere ? before.city : "");
  const texts = SHIPPING_FIELDS.map((name) => [name, posted[name] ?? ""]);
  return new URLSearchParams({ ...Object.fromEntries(texts), country, deliveryType, city });
}

/** Errors of fields that the form does not show are for staff. */
function refuseFields(errors: ShippingErrors): OwnAddressDone {
  return errors.country || errors.deliveryType ? refuse("ask") : { ok: false, why: "fields", errors };
}

/**
 * Whether an earlier form has already set the address that was asked for. Landmark and local government may have been
 * emptied then, because they belonged to the old place.
 */
function isAsAsked(form: ShippingForm, asked: ShippingForm): boolean {
  const isEmptied = (name: keyof ShippingForm) =>
    (name === "landmark" || name === "localGovernment") && form[name] === "";
  return SHIPPING_FIELDS.every((name) => form[name] === asked[name] || isEmptied(name));
}

/** The error beside the place if delivery there costs more today than the order's shopper has paid for it. */
function dearerPlace(
  rates: Rates,
  destination: Destination,
  { shipping, shippingCents, rate }: Order,
): ShippingErrors | undefined {
  if (isSamePlace(destination, shipping)) return;
  const cents = shippingCentsIn(rates, destination, shipping.deliveryWay?.id);
  if (cents !== undefined && cents <= shippingCents) return;
  const naira = (sum: number) => formatKobo(chargeInKobo(usdCents(sum), parseRate(rate) ?? FALLBACK_RATE));
  const { dearer, noPrice } = messages.addressing;
  const error = cents === undefined ? noPrice : dearer(naira(cents), naira(shippingCents));
  return destination.kind === "pickup" ? { pickupCenter: error } : { state: error };
}

/** Whether delivery to a place has the same rate as the order's. Within a country abroad there is one rate. */
function isSamePlace(destination: Destination, { state, pickupCenter }: ShippingDetails): boolean {
  switch (destination.kind) {
    case "home":
      return stateNamed([{ name: destination.state }], state) !== undefined;
    case "pickup":
      return destination.center === pickupCenter;
    case "abroad":
      return true;
  }
}

function versionOf(shipping: ShippingDetails): string {
  const form = formOf(shipping);
  const text = JSON.stringify(SHIPPING_FIELDS.map((name) => form[name]));
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

function refuse(why: NotChangeable): Refusal {
  return { ok: false, why };
}
