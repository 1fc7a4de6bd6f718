import type { Selectable } from "kysely";
import { sql } from "kysely";
import { type Db, prepared, type Transaction } from "#app/infra/db.server.ts";
import type { Database, ShippingDetails } from "#db/types.ts";
import { IS_LIVE, isLive, type OrderEvent, type OrderState, stateAfter, statesThatAccept } from "./order-state.ts";
import type { Units } from "./outcomes.ts";
import { lockSizes, returnReserved, type Shelf } from "./reservation.server.ts";
import type { ShippingForm } from "./shipping.ts";

export type Attempt = Selectable<Database["attempts"]>;
export type Payment = Pick<
  Selectable<Database["payments"]>,
  "reference" | "state" | "kobo" | "paidKobo" | "paidCurrency"
>;

const lockCartOf = prepared<{ version: string }, [userId: string]>(
  "select version from carts where user_id = $1 for update",
);

/**
 * Rows are locked in one order everywhere: the shopper's cart, payment, attempt, sizes. The cart comes first, so that
 * whatever happens to one shopper's orders happens one after the other.
 */
export async function lockCart(trx: Transaction, userId: string): Promise<{ version: string } | undefined> {
  const [cart] = await lockCartOf(trx, userId);
  return cart;
}

const lockCartOfPayment = prepared<object, [reference: string]>(
  `select version from carts where user_id = (
     select a.user_id from payments p join attempts a on a.id = p.attempt_id where p.reference = $1
   ) for update`,
);

const ATTEMPT = `a.id, a.user_id, a.state, a.cart_version, a.email, a.shipping, a.lines, a.subtotal_cents, a.shipping_cents,
  a.total_cents, a.rate, a.rate_at, a.kobo, a.holds_stock, a.expires_at, a.released_at, a.created_at, a.updated_at`;

type PaymentColumns = { paymentState: Payment["state"]; paymentKobo: string; hasBoughtSince: boolean } & Pick<
  Payment,
  "paidKobo" | "paidCurrency"
>;
const lockPayment = prepared<Attempt & PaymentColumns, [reference: string]>(
  `select ${ATTEMPT}, p.state as payment_state, p.kobo as payment_kobo, p.paid_kobo, p.paid_currency,
     exists (select from sales s where s.user_id = a.user_id and s.created_at >= a.created_at) as has_bought_since
   from payments p join attempts a on a.id = p.attempt_id where p.reference = $1 for update of p, a`,
);

/** `hasBoughtSince`: the shopper has a sale that is newer than the attempt; seen only since the cart's lock was a statement before. */
export type LockedOrder = { payment: Payment; attempt: Attempt; hasBoughtSince: boolean };

/** A payment and its attempt, both locked, behind the cart of their shopper. */
export async function lockOrder(trx: Transaction, reference: string): Promise<LockedOrder> {
  await lockCartOfPayment(trx, reference);
  const [row] = await lockPayment(trx, reference);
  if (!row) throw new Error(`There is no payment ${reference}`);
  const { paymentState: state, paymentKobo: kobo, paidKobo, paidCurrency, hasBoughtSince, ...attempt } = row;
  return { payment: { reference, state, kobo, paidKobo, paidCurrency }, attempt, hasBoughtSince };
}

const lockLive = prepared<Attempt & { expired: boolean }, [userId: string]>(
  `select ${ATTEMPT}, a.expires_at <= now() as expired
   from attempts a where a.user_id = $1 and a.${IS_LIVE} for update`,
);

/** The shopper's order that holds stock now, locked. Lock the cart first. */
export async function lockLiveAttempt(
  trx: Transaction,
  userId: string,
): Promise<(Attempt & { expired: boolean }) | undefined> {
  const [live] = await lockLive(trx, userId);
  return live;
}

const lastShipping = prepared<Pick<Attempt, "state" | "shipping">, [userId: string]>(
  "select state, shipping from attempts where user_id = $1 order by created_at desc limit 1",
);

/** The shipping form of the shopper's last try to pay, unless it was paid: who comes back from the provider's page finds it filled. */
export async function triedShipping(on: Db, userId: string): Promise<ShippingForm | undefined> {
  const [last] = await lastShipping(on, userId);
  return last && (isLive(last.state) || last.state === "released") ? formOf(last.shipping) : undefined;
}

/** What the shopper filled in, without what the shop added. */
export function formOf({ shippingCost: _, shippingRate: __, location: ___, ...form }: ShippingDetails): ShippingForm {
  return form;
}

const move = prepared<object, [id: string, to: OrderState, from: OrderState[]]>(
  `update attempts set state = $2, released_at = case $2 when '${stateAfter("release")}' then now() else released_at end, updated_at = now()
   where id = $1 and state = any($3::text[]) returning id`,
);

/** Moves an attempt along the map of order-state.ts; false when its state does not accept the event. */
export async function moveAttempt(trx: Transaction, id: string, event: OrderEvent): Promise<boolean> {
  const moved = await move(trx, id, stateAfter(event), statesThatAccept(event));
  return moved.length === 1;
}

/** Puts the stock of a live attempt back on the shelf. Its money, should it still come, is dealt with by settlement. */
export async function releaseAttempt(trx: Transaction, id: string): Promise<void> {
  if (await moveAttempt(trx, id, "release")) await returnReserved(trx, id);
}

/** Locks the sizes that a shopper's next order needs, and lets their live attempt make room for it. */
export async function clearShelf(trx: Transaction, units: readonly Units[], live: Attempt): Promise<Shelf> {
  await lockSizes(trx, [...units, ...live.lines]); // all at once: in the fixed order
  await releaseAttempt(trx, live.id);
  return lockSizes(trx, units);
}

/** Releases an attempt that is live and has been past its time for that many minutes. */
export async function releaseExpired(trx: Transaction, id: string, graceMinutes = 0): Promise<void> {
  const expired = await trx
    .selectFrom("attempts")
    .select("id")
    .where("id", "=", id)
    .where(sql<boolean>`expires_at + ${graceMinutes} * interval '1 minute' <= now()`)
    .executeTakeFirst();
  if (expired) await releaseAttempt(trx, id);
}
