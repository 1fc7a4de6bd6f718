import { isDeepStrictEqual } from "node:util";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { logInternalError } from "#app/infra/internal-errors.server.ts";
import { knownShopSettings } from "#app/infra/settings/shop-settings.server.ts";
import { noteBuyer } from "#app/offers/offers.server.ts";
import { type StoredOffers, usesOf } from "#app/offers/terms.ts";
import {
  formOf,
  type LiveOrder,
  lockCart,
  lockLiveOrder,
  makeRoom,
  releaseOrder,
} from "#app/orders/lifecycle.server.ts";
import { lengthenTurns, markTurnsUsed, queueFor } from "#app/orders/queue/queue.server.ts";
import {
  type Basis,
  basisOf,
  type CartLine,
  mayHoldUses,
  priceLines,
  type RatesNow,
  type ReadCart,
  readCart,
  readRatesNow,
  unheldOf,
  withinLimit,
} from "#app/orders/quote.server.ts";
import { type Availability, inStock, isStockTaken, namedShortages, unitsOf } from "#app/orders/reservation.server.ts";
import { logShortages } from "#app/orders/shortage-log.server.ts";
import { LARGEST_TOTAL, orderSums, type Sums, subtotalOf } from "#app/orders/sums.ts";
import type { NamedShortage, Unheld, Units } from "#app/orders/units.ts";
import type { PaymentProvider } from "#app/payment-provider/contract.ts";
import { checkoutProvider } from "#app/providers/registry.server.ts";
import { deliveryToPay, orderedWay } from "#app/shipping/ways/ways.ts";
import { addOrder, type OrderRequest } from "./add-order.server.ts";
import { openingOf } from "./links/pay.server.ts";
import { hasLapsedLinks, replacePayerCode } from "./links/payer-link.server.ts";
import { type Opening, openPayment } from "./open.server.ts";
import { type NotStarted, type OpenedPayment, refusal } from "./outcomes.ts";
import { settlePayment } from "./settle.server.ts";

type Plan =
  /** `isForPayer`: the order has a link by which somebody else may pay, and stays if no payment can be opened. */
  | { step: "open"; orderId: string; own?: Opening; isForPayer?: boolean }
  /**
   * The shopper has another live order, or one that somebody else may have paid. The provider must be asked about its
   * payments before the new order replaces it, or before the shopper pays it.
   */
  | { step: "settle-live"; orderId: string }
  /** The cart has products that are sold in turns, and the shopper has no turn for these. */
  | { step: "queue"; productIds: string[] }
  | { step: "refuse"; why: NotStarted }
  /**
   * Nothing was done: at the same moment, another shopper took the last units or an offer ended, changed or was used
   * up.
   */
  | { step: "retry" };

/**
 * Fixes prices, exchange rate and shipping, reserves the cart's stock for `RESERVED_FOR` (nothing if `unheldOf` says
 * so) and opens the payment at the provider. The same cart and form get the same payment again. `now` are the rates
 * with which the form was read.
 */
export async function startPayment(on: Db, order: OrderRequest, now?: RatesNow): Promise<OpenedPayment | NotStarted> {
  const begun = await begin(on, order, now);
  return "step" in begun ? open(on, order.user.id, begun) : begun;
}

/**
 * Like `startPayment`, but for somebody else who pays by a link: holds the order for `HELD_FOR_PAYER`, and opens no
 * payment at the provider. The same cart and form keep their order and the end of its hold; the former link opens
 * nothing then.
 */
export async function startPayerLink(
  on: Db,
  order: OrderRequest & Required<Pick<OrderRequest, "payerLink">>,
  now?: RatesNow,
): Promise<{ ok: true; orderId: string } | NotStarted> {
  const begun = await begin(on, order, now);
  return "step" in begun ? { ok: true, orderId: begun.orderId } : begun;
}

type OrderToOpen = Extract<Plan, { step: "open" }>;

/** Makes the order, or finds the live one that can be paid as it is. */
async function begin(on: Db, order: OrderRequest, now?: RatesNow): Promise<OrderToOpen | NotStarted> {
  if (!order.user.emailVerified) return refusal("not-verified");
  if (order.currency !== "NGN") return refusal("not-naira");
  const basis = basisOf(now ?? (await readRatesNow(on)), order.destination, order.way?.id);
  if (!basis) {
    logInternalError("missingData", { user: order.user.id, missing: "shipping rate" });
    return refusal("no-delivery");
  }
  let settledId: string | undefined;
  for (let round = 0; round < 3; round++) {
    const plan = await retryingTransaction(on, (trx) => prepare(trx, order, basis, settledId)).catch(retryWhenTaken);
    if (plan.step === "retry") continue;
    if (plan.step === "refuse") return plan.why;
    if (plan.step === "open") return plan;
    if (plan.step === "queue") {
      const productId = await queueFor(on, order.user.id, plan.productIds);
      if (productId !== undefined) return { ok: false, problem: "in-queue", productId };
      continue;
    }
    const why = await settleLiveOrder(on, plan.orderId, order);
    if (why) return why;
    settledId = plan.orderId;
  }
  return refusal("payment-unavailable"); // other tabs keep starting other orders, or the stock keeps changing
}

async function prepare(
  trx: Transaction,
  order: OrderRequest,
  basis: Basis,
  settledId: string | undefined,
): Promise<Plan> {
  const cart = await lockCart(trx, order.user.id);
  const { lines: wanted, availability, hasLiveOrder, lapsedOrders, offers, queued = [] } = await readCartOf(trx, order);
  if (!cart || wanted.length === 0) {
    await logEmptyCart(trx, order.user.id);
    return { step: "refuse", why: refusal("empty-cart") };
  }
  const live = hasLiveOrder ? await lockLiveOrder(trx, order.user.id) : undefined;
  const provider = order.provider ?? checkoutProvider;
  const isSame = live !== undefined && isSameOrder(live, cart.version, order, provider);
  if (isSame && (order.payerLink || !live.byPayerLink)) {
    if (order.payerLink) await replacePayerCode(trx, live.id, order.payerLink);
    return { step: "open", orderId: live.id };
  }
  if (live && live.id !== settledId) return { step: "settle-live", orderId: live.id };
  if (isSame) {
    const own = await openingOf(trx, live, provider.description.id);
    return {
      step: "open",
      orderId: live.id,
      own: own && { ...own, referrer: order.referrer },
      isForPayer: true,
    };
  }

  const priced = linesToBuy(wanted, availability, order, offers, basis);
  const { lines } = priced;
  const inTurns = queued.filter(({ productId }) => lines.some((line) => line.productId === productId));
  const waitsFor = inTurns.flatMap(({ productId, mayOrder }) => (mayOrder ? [] : [productId]));
  if (waitsFor.length > 0) return { step: "queue", productIds: [...new Set(waitsFor)] };
  const units = unitsOf(lines);
  const shippingCents = deliveryToPay(basis, priced.offers.freeDelivery !== undefined);
  const sums = orderSums(lines, shippingCents, basis.rate);
  const unheld = unheldOf(lines, lapsedOrders, priced.offers);
  const mayLink = !order.payerLink || (!unheld && !(await hasLapsedLinks(trx, order.user.id)));
  const short = namedShortages(lines, availability);
  if (short.length > 0) await logShortages(trx, short);
  const why = findProblem(units, short, sums, { mayLink, ...(unheld && { unheld }) }, order);
  if (why) return { step: "refuse", why }; // the live order keeps its stock and prices: its payment may be under way
  if (live) await makeRoom(trx, units, live);
  const reserved = unheld ? [] : inTurns.map(({ productId }) => productId);
  if (reserved.length > 0) await markTurnsUsed(trx, order.user.id, reserved);
  const saved = basis.shippingCents - deliveryToPay(basis, true);
  const uses = usesOf(priced.offers, offers, saved, mayHoldUses(lapsedOrders));
  const held = unheld ? [] : units;
  const own = await addOrder(trx, order, cart.version, lines, held, sums, basis, provider, uses);
  return { step: "open", orderId: own.orderId, own };
}

/** The cart with the offers for this buyer and destination. Stores the buyer's data first if an offer depends on it. */
async function readCartOf(trx: Transaction, { user, form }: OrderRequest): Promise<ReadCart> {
  const read = await readCart(trx, user.id);
  const { country, email, phoneNumber: phone } = form;
  return (await noteBuyer(trx, user.id, read.offers, { country, email, phone })) ? readCart(trx, user.id) : read;
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

/**
 * Whether the live order can be paid as it is. It keeps its prices and rate unless the shopper has seen another sum.
 */
function isSameOrder(
  live: LiveOrder,
  cartVersion: string,
  order: OrderRequest,
  { description }: PaymentProvider,
): boolean {
  return (
    !live.expired &&
    (live.byPayerLink || !order.payerLink) &&
    live.provider === description.id &&
    live.cartVersion === cartVersion &&
    isDeepStrictEqual(formOf(live.shipping), order.form) &&
    isDeepStrictEqual(live.shipping.deliveryWay, order.way && orderedWay(order.way)) &&
    (order.agreedKobo === undefined || order.agreedKobo === Number(live.kobo)) &&
    (order.shownCents === undefined || order.shownCents === live.subtotalCents)
  );
}

/** The whole cart or, if less is in stock and the shopper was shown only that, the part in stock. */
function linesToBuy(
  wanted: CartLine[],
  availability: Availability,
  { shownCents }: OrderRequest,
  offers: StoredOffers | undefined,
  { rate }: Basis,
) {
  const less = priceLines(inStock(wanted, withinLimit(availability)), offers, rate);
  const isShown = less.lines.length > 0 && subtotalOf(less.lines) === shownCents;
  return isShown ? less : priceLines(wanted, offers, rate);
}

function findProblem(
  units: Units[],
  short: NamedShortage[],
  sums: Sums,
  { mayLink, unheld }: { mayLink: boolean; unheld?: Unheld },
  { agreedKobo, agreesToNoHold }: OrderRequest,
): NotStarted | undefined {
  if (short.length > 0) return { ok: false, problem: "out-of-stock", lines: short };
  const limit = knownShopSettings().mostOfASize ?? Infinity;
  const tooMany = units.filter(({ quantity }) => quantity > limit);
  if (tooMany.length > 0) return { ok: false, problem: "too-many", lines: tooMany, limit };
  if (sums.totalCents > LARGEST_TOTAL) return refusal("payment-refused");
  if (!mayLink) return refusal("no-link");
  if (agreedKobo !== undefined && agreedKobo !== sums.kobo)
    return { ok: false, problem: "stale-total", sums, ...(unheld && { unheld }) };
  return unheld && !agreesToNoHold ? { ok: false, problem: "holds-nothing", unheld } : undefined;
}

async function settleLiveOrder(
  on: Db,
  orderId: string,
  { paysAnotherWay = false }: OrderRequest,
): Promise<NotStarted | undefined> {
  const payments = await on
    .selectFrom("payments")
    .select(["reference", "payerEmail"])
    .where("orderId", "=", orderId)
    // The provider has never been told of an order's first payment while nobody has used the order's link.
    .where(({ or, eb }) => or([eb("state", "<>", "created"), eb("leasedUntil", "is not", null)]))
    .orderBy("createdAt") // if the order was paid twice, the first payment counts
    .execute();
  for (const { reference, payerEmail } of payments) {
    const { outcome } = await settlePayment(reference, on);
    if (outcome === "sold") return { ok: false, problem: "already-paid", reference };
    if (outcome === "unavailable") return refusal("earlier-payment-unseen");
    if (outcome === "pending" && payerEmail !== null && !paysAnotherWay) return { ok: false, problem: "payer-awaited" };
  }
  return;
}

async function open(
  on: Db,
  userId: string,
  { orderId, own, isForPayer }: OrderToOpen,
): Promise<OpenedPayment | NotStarted> {
  const opened = await openPayment(on, orderId, own);
  if (opened.ok || isForPayer) return opened;
  await retryingTransaction(on, async (trx) => {
    await lockCart(trx, userId);
    await releaseOrder(trx, orderId);
    if (opened.problem === "payment-unavailable") await lengthenTurns(trx, orderId);
  });
  return opened;
}
