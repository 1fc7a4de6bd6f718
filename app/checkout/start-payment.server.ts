import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { type Db, type Transaction, transact } from "#app/infra/db.server.ts";
import { rateText } from "#app/money/exchange-rate.ts";
import { dollarText } from "#app/money/money.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { type Attempt, clearShelf, lockCart, lockLiveAttempt, releaseAttempt } from "./attempt.server.ts";
import { addPayment, openPayment } from "./open-payment.server.ts";
import { type NotStarted, type OpenedPayment, refusal, type Shortage, type Units } from "./outcomes.ts";
import { type Basis, cartLines, readBasis } from "./quote.server.ts";
import { lookAtSizes, reserve, shortages, TakenMeanwhile, unitsOf } from "./reservation.server.ts";
import { settlePayment } from "./settle.server.ts";
import type { Destination, ShippingForm } from "./shipping.ts";
import { orderSums, type Sums } from "./sums.ts";

export const MOST_OF_A_SIZE = 10;
const HELD_FOR = sql<Date>`now() + interval '15 minutes'`;

export type OrderRequest = {
  user: { id: string; emailVerified: boolean };
  form: ShippingForm;
  destination: Destination;
  currency: "NGN" | "USD";
  /** The charge that the shopper saw and agreed to; absent when none was shown. */
  agreedKobo?: number;
};

type Plan =
  | { step: "open"; attemptId: string }
  /** Another order of the shopper is live: it makes room only after the provider was asked about it. */
  | { step: "ask"; attemptId: string }
  | { step: "refuse"; why: NotStarted }
  /** Nothing is done: another shopper took the last units in this very moment. */
  | { step: "again" };

/**
 * Reserves the stock of the shopper's cart for 15 minutes, fixes prices, rate and shipping, and opens the payment at
 * the provider. Asked again for the same cart and form, it answers with the same payment.
 */
export async function startPayment(on: Db, order: OrderRequest): Promise<OpenedPayment | NotStarted> {
  if (!order.user.emailVerified) return refusal("not-verified");
  if (order.currency !== "NGN") return refusal("not-naira");
  const basis = await readBasis(on, order.destination);
  let asked: string | undefined;
  for (let round = 0; round < 3; round++) {
    const plan = await transact(on, (trx) => prepare(trx, order, basis, asked)).catch(takenMeanwhile);
    if (plan.step === "again") continue;
    if (plan.step === "refuse") return plan.why;
    if (plan.step === "open") return open(on, order.user.id, plan.attemptId);
    const why = await askAbout(on, plan.attemptId);
    if (why) return why;
    asked = plan.attemptId;
  }
  return refusal("payment-unavailable"); // other tabs keep starting payments for other orders, or stock comes and goes
}

async function prepare(trx: Transaction, order: OrderRequest, basis: Basis, asked: string | undefined): Promise<Plan> {
  const cart = await lockCart(trx, order.user.id);
  const lines = cart ? await cartLines(trx, order.user.id) : [];
  if (!cart || lines.length === 0) return { step: "refuse", why: refusal("empty-cart") };
  const live = await lockLiveAttempt(trx, order.user.id);
  if (live && isSameOrder(live, cart.version, order)) return { step: "open", attemptId: live.id };
  if (live && live.id !== asked) return { step: "ask", attemptId: live.id };

  const units = unitsOf(lines);
  const shelf = live ? await clearShelf(trx, units, live) : await lookAtSizes(trx, units);
  const sums = orderSums(lines, basis.shippingCents, basis.rate);
  const why = whyNot(lines, units, shortages(units, shelf), sums, order.agreedKobo);
  if (why) return { step: "refuse", why };
  const attemptId = await insertAttempt(trx, order, cart.version, lines, sums, basis);
  await addPayment(trx, attemptId, sums.kobo);
  await reserve(trx, attemptId, units);
  return { step: "open", attemptId };
}

function takenMeanwhile(error: unknown): Plan {
  if (error instanceof TakenMeanwhile) return { step: "again" };
  throw error;
}

/** While an attempt lives it keeps its prices and rate, unless the shopper has seen and agreed to another sum. */
function isSameOrder(live: Attempt & { expired: boolean }, cartVersion: string, order: OrderRequest): boolean {
  const { shippingCost: _, shippingRate: __, location: ___, ...form } = live.shipping;
  return (
    !live.expired &&
    live.cartVersion === cartVersion &&
    isDeepStrictEqual(form, order.form) &&
    (order.agreedKobo === undefined || order.agreedKobo === Number(live.kobo))
  );
}

function whyNot(
  lines: OrderLine[],
  units: Units[],
  short: Shortage[],
  sums: Sums,
  agreedKobo: number | undefined,
): NotStarted | undefined {
  if (short.length > 0) {
    const titleOf = (id: string) => lines.find(({ productId }) => productId === id)?.title ?? id;
    return {
      ok: false,
      problem: "out-of-stock",
      lines: short.map((one) => ({ ...one, title: titleOf(one.productId) })),
    };
  }
  const tooMany = units.filter(({ quantity }) => quantity > MOST_OF_A_SIZE);
  if (tooMany.length > 0) return { ok: false, problem: "too-many", lines: tooMany, limit: MOST_OF_A_SIZE };
  if (agreedKobo !== undefined && agreedKobo !== sums.kobo) return { ok: false, problem: "stale-total", sums };
  return;
}

async function insertAttempt(
  trx: Transaction,
  order: OrderRequest,
  cartVersion: string,
  lines: OrderLine[],
  { kobo, ...cents }: Sums,
  { rate, rateAt }: Basis,
): Promise<string> {
  const { id } = await trx
    .insertInto("attempts")
    .values({
      userId: order.user.id,
      state: "open",
      cartVersion,
      email: order.form.email,
      shipping: JSON.stringify(shippingDetails(order, dollarText(cents.shippingCents))),
      lines: JSON.stringify(lines),
      ...cents,
      rate: rateText(rate),
      rateAt,
      kobo,
      expiresAt: HELD_FOR,
      createdAt: sql`clock_timestamp()`, // under the cart's lock: comparable with the time of the shopper's sales
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

function shippingDetails({ form, destination }: OrderRequest, cost: string): ShippingDetails {
  const location =
    destination.kind === "home" ? destination.state : destination.kind === "pickup" ? destination.center : form.country;
  return { ...form, shippingCost: cost, shippingRate: cost, location };
}

async function askAbout(on: Db, attemptId: string): Promise<NotStarted | undefined> {
  const payments = await on.selectFrom("payments").select("reference").where("attemptId", "=", attemptId).execute();
  for (const { reference } of payments) {
    const { outcome } = await settlePayment(reference, on);
    if (outcome === "sold") return { ok: false, problem: "already-paid", reference };
    if (outcome === "unavailable") return refusal("payment-unavailable");
  }
  return;
}

async function open(on: Db, userId: string, attemptId: string): Promise<OpenedPayment | NotStarted> {
  const opened = await openPayment(on, attemptId);
  if (opened) return opened;
  await transact(on, async (trx) => {
    await lockCart(trx, userId);
    await releaseAttempt(trx, attemptId);
  });
  return refusal("payment-unavailable");
}
