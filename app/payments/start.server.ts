import { isDeepStrictEqual } from "node:util";
import { type Db, retryingTransaction, statementWithCommit, type Transaction } from "#app/infra/database/db.server.ts";
import { env } from "#app/infra/env.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { dollarText } from "#app/money/money.ts";
import { formOf, lockCart, lockLiveOrder, makeRoom, type Order, releaseOrder } from "#app/orders/lifecycle.server.ts";
import { type Basis, mayHoldStock, readBasis, readCart, withinLimit } from "#app/orders/quote.server.ts";
import {
  ALL_RESERVED,
  type Availability,
  inStock,
  isStockTaken,
  namedShortages,
  reserve,
  unitsAsJson,
  unitsOf,
} from "#app/orders/reservation.server.ts";
import { orderSums, type Sums, subtotalOf } from "#app/orders/sums.ts";
import type { NamedShortage, Units } from "#app/orders/units.ts";
import type { Destination, ShippingForm } from "#app/shipping/shipping.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { insertPayment, newReference, type Opening, openPayment } from "./open.server.ts";
import { type NotStarted, type OpenedPayment, refusal } from "./outcomes.ts";
import { settlePayment } from "./settle.server.ts";

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
  | { step: "open"; orderId: string; own?: Opening }
  /** Another order of the shopper is live: it makes room only after the provider was asked about it. */
  | { step: "ask"; orderId: string }
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
    const plan = await retryingTransaction(on, (trx) => prepare(trx, order, basis, asked)).catch(retryWhenTaken);
    if (plan.step === "again") continue;
    if (plan.step === "refuse") return plan.why;
    if (plan.step === "open") return open(on, order.user.id, plan);
    const why = await settleLiveOrder(on, plan.orderId);
    if (why) return why;
    asked = plan.orderId;
  }
  return refusal("payment-unavailable"); // other tabs keep starting payments for other orders, or stock comes and goes
}

async function prepare(trx: Transaction, order: OrderRequest, basis: Basis, asked: string | undefined): Promise<Plan> {
  const cart = await lockCart(trx, order.user.id);
  const { lines: wanted, shelf: seen, hasLiveOrder, lapsedOrders } = await readCart(trx, order.user.id);
  if (!cart || wanted.length === 0) return { step: "refuse", why: refusal("empty-cart") };
  const live = hasLiveOrder ? await lockLiveOrder(trx, order.user.id) : undefined;
  if (live && isSameOrder(live, cart.version, order)) return { step: "open", orderId: live.id };
  if (live && live.id !== asked) return { step: "ask", orderId: live.id };

  const shelf = live ? await makeRoom(trx, unitsOf(wanted), live) : seen;
  const lines = linesToBuy(wanted, shelf, order.shownCents);
  const units = unitsOf(lines);
  const sums = orderSums(lines, basis.shippingCents, basis.rate);
  const holdsStock = mayHoldStock(lines, lapsedOrders);
  const why = findProblem(units, namedShortages(lines, shelf), sums, holdsStock, order);
  if (why) return { step: "refuse", why };
  const own = await addOrder(trx, order, cart.version, lines, holdsStock ? units : [], sums, basis);
  return { step: "open", orderId: own.orderId, own };
}

function retryWhenTaken(error: unknown): Plan {
  if (isStockTaken(error)) return { step: "again" };
  throw error;
}

/** While an order lives it keeps its prices and rate, unless the shopper has seen and agreed to another sum. */
function isSameOrder(live: Order & { expired: boolean }, cartVersion: string, order: OrderRequest): boolean {
  return (
    !live.expired &&
    live.cartVersion === cartVersion &&
    isDeepStrictEqual(formOf(live.shipping), order.form) &&
    (order.agreedKobo === undefined || order.agreedKobo === Number(live.kobo)) &&
    (order.shownCents === undefined || order.shownCents === live.subtotalCents)
  );
}

/** All of the cart; or, where less can be had and the shopper was shown just that, this. */
function linesToBuy(wanted: OrderLine[], shelf: Availability, shownCents: number | undefined): OrderLine[] {
  const less = inStock(wanted, withinLimit(shelf));
  return less.length > 0 && subtotalOf(less) === shownCents ? less : wanted;
}

function findProblem(
  units: Units[],
  short: NamedShortage[],
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
const insertOrder = statementWithCommit<
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
  `with new_order as (
     insert into orders (user_id, state, cart_version, email, shipping, lines, subtotal_cents, shipping_cents, total_cents, rate, rate_at, kobo,
       holds_stock, expires_at, created_at)
     values ($1, 'open', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $14, now() + interval '15 minutes', clock_timestamp()) returning id, kobo
   ), payment as (${insertPayment("$12", "new_order")}), ${reserve("new_order", "$13")}
   select id, ${ALL_RESERVED} from new_order`,
);

/** Writes order, payment and reservation down, and ends the transaction; an error `isTakenMeanwhile` when the stock is no longer there. */
async function addOrder(
  trx: Transaction,
  request: OrderRequest,
  cartVersion: string,
  lines: OrderLine[],
  held: Units[],
  sums: Sums,
  { rate, rateAt }: Basis,
): Promise<Opening> {
  const { email } = request.form;
  const { kobo, subtotalCents, shippingCents, totalCents } = sums;
  const shipping = shippingDetails(request, dollarText(shippingCents));
  const reference = newReference();
  const [order] = await insertOrder(
    trx,
    request.user.id,
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
    unitsAsJson(held),
    held.length > 0,
  );
  if (!order) throw new Error("An inserted order has an id");
  return { reference, orderId: order.id, kobo, email, lines, shipping };
}

function shippingDetails({ form, destination }: OrderRequest, cost: string): ShippingDetails {
  const location =
    destination.kind === "home" ? destination.state : destination.kind === "pickup" ? destination.center : form.country;
  return { ...form, shippingCost: cost, shippingRate: cost, location };
}

async function settleLiveOrder(on: Db, orderId: string): Promise<NotStarted | undefined> {
  const payments = await on
    .selectFrom("payments")
    .select("reference")
    .where("orderId", "=", orderId)
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
  { orderId, own }: { orderId: string; own?: Opening },
): Promise<OpenedPayment | NotStarted> {
  const opened = await openPayment(on, orderId, own);
  if (opened.ok) return opened;
  await retryingTransaction(on, async (trx) => {
    await lockCart(trx, userId);
    await releaseOrder(trx, orderId);
  });
  return opened;
}
