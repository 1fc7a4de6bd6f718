import { isDeepStrictEqual } from "node:util";
import { type Db, preparedWithCommit, type Transaction, transact } from "#app/infra/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { dollarText } from "#app/money/money.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { type Attempt, clearShelf, formOf, lockCart, lockLiveAttempt, releaseAttempt } from "./attempt.server.ts";
import { insertPayment, newReference, type Opening, openPayment } from "./open-payment.server.ts";
import { type NotStarted, type OpenedPayment, refusal, type Short, type Units } from "./outcomes.ts";
import { type Basis, mayHoldStock, readBasis, readCart } from "./quote.server.ts";
import {
  ALL_TAKEN,
  asRows,
  inStock,
  isTakenMeanwhile,
  putAside,
  type Shelf,
  shortIn,
  unitsOf,
} from "./reservation.server.ts";
import { settlePayment } from "./settle.server.ts";
import type { Destination, ShippingForm } from "./shipping.ts";
import { orderSums, type Sums, subtotalOf } from "./sums.ts";

export type OrderRequest = {
  user: { id: string; emailVerified: boolean };
  form: ShippingForm;
  destination: Destination;
  currency: "NGN" | "USD";
  /** The charge that the shopper saw and agreed to, 0 before one was shown; absent where any will do. */
  agreedKobo?: number;
  /** The sum of the goods that the shopper saw, in cents; absent when none was shown. */
  shownCents?: number;
  /** The shopper has been told that the pieces are not put aside, and wants them all the same. */
  agreesToNoHold?: boolean;
};

type Plan =
  | { step: "open"; attemptId: string; own?: Opening }
  /** Another order of the shopper is live: it makes room only after the provider was asked about it. */
  | { step: "ask"; attemptId: string }
  | { step: "refuse"; why: NotStarted }
  /** Nothing is done: another shopper took the last units in this very moment. */
  | { step: "again" };

/**
 * Reserves the stock of the shopper's cart for 15 minutes (or, as `mayHoldStock` says, nothing), fixes prices, rate and
 * shipping, and opens the payment at the provider. Asked again for the same cart and form, it answers with the same payment.
 */
export async function startPayment(on: Db, order: OrderRequest): Promise<OpenedPayment | NotStarted> {
  if (!order.user.emailVerified) return refusal("not-verified");
  if (order.currency !== "NGN") return refusal("not-naira");
  const basis = await readBasis(on, order.destination);
  if (!basis) return refusal("no-delivery");
  let asked: string | undefined;
  for (let round = 0; round < 3; round++) {
    const plan = await transact(on, (trx) => prepare(trx, order, basis, asked)).catch(takenMeanwhile);
    if (plan.step === "again") continue;
    if (plan.step === "refuse") return plan.why;
    if (plan.step === "open") return open(on, order.user.id, plan);
    const why = await askAbout(on, plan.attemptId);
    if (why) return why;
    asked = plan.attemptId;
  }
  return refusal("payment-unavailable"); // other tabs keep starting payments for other orders, or stock comes and goes
}

async function prepare(trx: Transaction, order: OrderRequest, basis: Basis, asked: string | undefined): Promise<Plan> {
  const cart = await lockCart(trx, order.user.id);
  const { lines: wanted, shelf: seen, hasLiveOrder, lapsedOrders } = await readCart(trx, order.user.id);
  if (!cart || wanted.length === 0) return { step: "refuse", why: refusal("empty-cart") };
  const live = hasLiveOrder ? await lockLiveAttempt(trx, order.user.id) : undefined;
  if (live && isSameOrder(live, cart.version, order)) return { step: "open", attemptId: live.id };
  if (live && live.id !== asked) return { step: "ask", attemptId: live.id };

  const shelf = live ? await clearShelf(trx, unitsOf(wanted), live) : seen;
  const lines = whatIsMeant(wanted, shelf, order.shownCents);
  const units = unitsOf(lines);
  const sums = orderSums(lines, basis.shippingCents, basis.rate);
  const holdsStock = mayHoldStock(lines, lapsedOrders);
  const why = whyNot(units, shortIn(lines, shelf), sums, holdsStock, order);
  if (why) return { step: "refuse", why };
  const own = await addAttempt(trx, order, cart.version, lines, holdsStock ? units : [], sums, basis);
  return { step: "open", attemptId: own.attemptId, own };
}

function takenMeanwhile(error: unknown): Plan {
  if (isTakenMeanwhile(error)) return { step: "again" };
  throw error;
}

/** While an attempt lives it keeps its prices and rate, unless the shopper has seen and agreed to another sum. */
function isSameOrder(live: Attempt & { expired: boolean }, cartVersion: string, order: OrderRequest): boolean {
  return (
    !live.expired &&
    live.cartVersion === cartVersion &&
    isDeepStrictEqual(formOf(live.shipping), order.form) &&
    (order.agreedKobo === undefined || order.agreedKobo === Number(live.kobo)) &&
    (order.shownCents === undefined || order.shownCents === live.subtotalCents)
  );
}

/** All of the cart; or, where less can be had and the shopper was shown just that, this. */
function whatIsMeant(wanted: OrderLine[], shelf: Shelf, shownCents: number | undefined): OrderLine[] {
  const less = inStock(wanted, shelf);
  return less.length > 0 && subtotalOf(less) === shownCents ? less : wanted;
}

function whyNot(
  units: Units[],
  short: Short[],
  sums: Sums,
  holdsStock: boolean,
  { agreedKobo, agreesToNoHold }: OrderRequest,
): NotStarted | undefined {
  if (short.length > 0) return { ok: false, problem: "out-of-stock", lines: short };
  const limit = env.MOST_OF_A_SIZE ?? Infinity;
  const tooMany = units.filter(({ quantity }) => quantity > limit);
  if (tooMany.length > 0) return { ok: false, problem: "too-many", lines: tooMany, limit };
  if (agreedKobo !== undefined && agreedKobo !== sums.kobo)
    return { ok: false, problem: "stale-total", sums, holdsStock };
  return holdsStock || agreesToNoHold ? undefined : refusal("holds-nothing");
}

// Its time is taken under the cart's lock: comparable with the time of the shopper's sales.
const insertAttempt = preparedWithCommit<
  { id: string },
  [
    userId: string,
    cartVersion: string,
    email: string,
    shipping: string,
    lines: string,
    subtotalCents: number,
    shippingCents: number,
    totalCents: number,
    rate: string,
    rateAt: Date,
    kobo: number,
    reference: string,
    held: string,
    holdsStock: boolean,
  ]
>(
  `with attempt as (
     insert into attempts (user_id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo,
       holds_stock, expires_at, created_at)
     values ($1, 'open', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $14, now() + interval '15 minutes', clock_timestamp()) returning id, kobo
   ), payment as (${insertPayment("$12", "attempt")}), ${putAside("attempt", "$13")}
   select id, ${ALL_TAKEN} from attempt`,
);

/** Writes attempt, payment and reservation down, and ends the transaction; an error `isTakenMeanwhile` when the stock is no longer there. */
async function addAttempt(
  trx: Transaction,
  order: OrderRequest,
  cartVersion: string,
  lines: OrderLine[],
  held: Units[],
  sums: Sums,
  { rate, rateAt }: Basis,
): Promise<Opening> {
  const { email } = order.form;
  const { kobo, subtotalCents, shippingCents, totalCents } = sums;
  const shipping = shippingDetails(order, dollarText(shippingCents));
  const reference = newReference();
  const [attempt] = await insertAttempt(
    trx,
    order.user.id,
    cartVersion,
    email,
    JSON.stringify(shipping),
    JSON.stringify(lines),
    subtotalCents,
    shippingCents,
    totalCents,
    rateText(rate),
    rateAt,
    kobo,
    reference,
    asRows(held),
    held.length > 0,
  );
  if (!attempt) throw new Error("An inserted attempt has an id");
  return { reference, attemptId: attempt.id, kobo, email, lines, shipping };
}

function shippingDetails({ form, destination }: OrderRequest, cost: string): ShippingDetails {
  const location =
    destination.kind === "home" ? destination.state : destination.kind === "pickup" ? destination.center : form.country;
  return { ...form, shippingCost: cost, shippingRate: cost, location };
}

async function askAbout(on: Db, attemptId: string): Promise<NotStarted | undefined> {
  const payments = await on
    .selectFrom("payments")
    .select("reference")
    .where("attemptId", "=", attemptId)
    .orderBy("createdAt") // paid twice: the first is the order
    .execute();
  for (const { reference } of payments) {
    const { outcome } = await settlePayment(reference, on);
    if (outcome === "sold") return { ok: false, problem: "already-paid", reference };
    if (outcome === "unavailable") return refusal("payment-unavailable");
  }
  return;
}

async function open(
  on: Db,
  userId: string,
  { attemptId, own }: { attemptId: string; own?: Opening },
): Promise<OpenedPayment | NotStarted> {
  const opened = await openPayment(on, attemptId, own);
  if (opened.ok) return opened;
  await transact(on, async (trx) => {
    await lockCart(trx, userId);
    await releaseAttempt(trx, attemptId);
  });
  return opened;
}
