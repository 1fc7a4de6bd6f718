import { isDeepStrictEqual } from "node:util";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import { knownShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { formOf, lockCart, lockLiveOrder, makeRoom, type Order, releaseOrder } from "#app/orders/lifecycle.server.ts";
import { type Basis, mayHoldStock, readBasis, readCart, withinLimit } from "#app/orders/quote.server.ts";
import { type Availability, inStock, isStockTaken, namedShortages, unitsOf } from "#app/orders/reservation.server.ts";
import { logShortages } from "#app/orders/shortage-log.server.ts";
import { orderSums, type Sums, subtotalOf } from "#app/orders/sums.ts";
import type { NamedShortage, Units } from "#app/orders/units.ts";
import type { OrderLine } from "#db/types.ts";
import { addOrder, type OrderRequest } from "./add-order.server.ts";
import { type Opening, openPayment } from "./open.server.ts";
import { type NotStarted, type OpenedPayment, refusal } from "./outcomes.ts";
import { settlePayment } from "./settle.server.ts";

type Plan =
  | { step: "open"; orderId: string; own?: Opening }
  /** Another order of the shopper is live: it makes room only once the provider was asked about it. */
  | { step: "settle-live"; orderId: string }
  | { step: "refuse"; why: NotStarted }
  /** Nothing is done: another shopper took the last units in this very moment. */
  | { step: "retry" };

/**
 * Reserves the stock of the shopper's cart for `RESERVED_FOR` (or, as `mayHoldStock` says, nothing), fixes prices, rate and
 * shipping, and opens the payment at the provider. Asked again for the same cart and form, it answers with the same payment.
 */
export async function startPayment(on: Db, order: OrderRequest): Promise<OpenedPayment | NotStarted> {
  if (!order.user.emailVerified) return refusal("not-verified");
  if (order.currency !== "NGN") return refusal("not-naira");
  const basis = await readBasis(on, order.destination);
  if (!basis) {
    logInternalError("missingData", { user: order.user.id, missing: "shipping rate" });
    return refusal("no-delivery");
  }
  let settledId: string | undefined;
  for (let round = 0; round < 3; round++) {
    const plan = await retryingTransaction(on, (trx) => prepare(trx, order, basis, settledId)).catch(retryWhenTaken);
    if (plan.step === "retry") continue;
    if (plan.step === "refuse") return plan.why;
    if (plan.step === "open") return open(on, order.user.id, plan);
    const why = await settleLiveOrder(on, plan.orderId);
    if (why) return why;
    settledId = plan.orderId;
  }
  return refusal("payment-unavailable"); // other tabs keep starting payments for other orders, or stock comes and goes
}

async function prepare(
  trx: Transaction,
  order: OrderRequest,
  basis: Basis,
  settledId: string | undefined,
): Promise<Plan> {
  const cart = await lockCart(trx, order.user.id);
  const { lines: wanted, availability, hasLiveOrder, lapsedOrders } = await readCart(trx, order.user.id);
  if (!cart || wanted.length === 0) {
    await logEmptyCart(trx, order.user.id);
    return { step: "refuse", why: refusal("empty-cart") };
  }
  const live = hasLiveOrder ? await lockLiveOrder(trx, order.user.id) : undefined;
  if (live && isSameOrder(live, cart.version, order)) return { step: "open", orderId: live.id };
  if (live && live.id !== settledId) return { step: "settle-live", orderId: live.id };

  const lines = linesToBuy(wanted, availability, order.shownCents);
  const units = unitsOf(lines);
  const sums = orderSums(lines, basis.shippingCents, basis.rate);
  const holdsStock = mayHoldStock(lines, lapsedOrders);
  const short = namedShortages(lines, availability);
  if (short.length > 0) await logShortages(trx, short);
  const why = findProblem(units, short, sums, holdsStock, order);
  if (why) return { step: "refuse", why }; // a live order keeps its stock and its prices: its money may be on the way
  if (live) await makeRoom(trx, units, live);
  const own = await addOrder(trx, order, cart.version, lines, holdsStock ? units : [], sums, basis);
  return { step: "open", orderId: own.orderId, own };
}

async function logEmptyCart(trx: Transaction, user: string): Promise<void> {
  const known = await trx.selectFrom("users").select("id").where("id", "=", user).executeTakeFirst();
  if (known) logInternalError("missingData", { user, missing: "cart items" });
  else logInternalError("userNotFound", { user });
}

function retryWhenTaken(error: unknown): Plan {
  if (isStockTaken(error)) return { step: "retry" };
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
function linesToBuy(wanted: OrderLine[], availability: Availability, shownCents: number | undefined): OrderLine[] {
  const less = inStock(wanted, withinLimit(availability));
  return less.length > 0 && subtotalOf(less) === shownCents ? less : wanted;
}

/** In cents, the largest sum that orders and sales hold: more than any card pays. */
const LARGEST_TOTAL = 2 ** 31 - 1;

function findProblem(
  units: Units[],
  short: NamedShortage[],
  sums: Sums,
  holdsStock: boolean,
  { agreedKobo, agreesToNoHold }: OrderRequest,
): NotStarted | undefined {
  if (short.length > 0) return { ok: false, problem: "out-of-stock", lines: short };
  const limit = knownShopSettings().mostOfASize ?? Infinity;
  const tooMany = units.filter(({ quantity }) => quantity > limit);
  if (tooMany.length > 0) return { ok: false, problem: "too-many", lines: tooMany, limit };
  if (sums.totalCents > LARGEST_TOTAL) return refusal("payment-refused");
  if (agreedKobo !== undefined && agreedKobo !== sums.kobo)
    return { ok: false, problem: "stale-total", sums, holdsStock };
  return holdsStock || agreesToNoHold ? undefined : refusal("holds-nothing");
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
    if (outcome === "unavailable") return refusal("earlier-payment-unseen");
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
