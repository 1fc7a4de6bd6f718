import { isByHand } from "#app/by-hand/means.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { HOUR } from "#app/infra/durations.ts";
import { lockOrder, type Order } from "#app/orders/lifecycle.server.ts";
import { isLive } from "#app/orders/state.ts";
import { providerOf } from "#app/providers/registry.server.ts";
import { addOpening, type Opening, openPayment } from "../open.server.ts";
import type { OpenedPayment } from "../outcomes.ts";
import { settlePayment } from "../settle.server.ts";

/**
 * Why an order cannot be paid by its link now. "over": its hold has ended. "refused": the provider takes no payment for
 * it, and would not at another try. "too-many": too many payers' payments were opened. "awaited": a transfer is under
 * way.
 */
export type NotPayable =
  | { ok: false; problem: "over" | "unavailable" | "refused" | "too-many" }
  | { ok: false; problem: "paid" | "awaited"; reference: string };

/** How long a payment is opened again before a new one takes its place. How long the provider keeps it is unknown. */
const OPENED_AGAIN_FOR = 2 * HOUR;

/** How many payments of payers an order may have. The provider is asked about each of them at every press. */
const MOST_OF_PAYERS = 10;

/**
 * Opens the payment of an order that is paid by a link. The provider is first asked about the payments that were opened
 * before, so that nobody pays what is paid. Within two hours the same payment is opened again. Each `payerEmail`, of
 * somebody else than the shopper, has a payment of its own, so that receipt and refund reach who paid.
 */
export async function payByLink(
  on: Db,
  orderId: string,
  payerEmail: string | null = null,
): Promise<OpenedPayment | NotPayable> {
  const before = await settleOpened(on, orderId);
  if (before) return before;
  const turn = await retryingTransaction(on, (trx) => prepare(trx, orderId, payerEmail));
  if (turn === "over" || turn === "too-many") return { ok: false, problem: turn };
  if (turn === "by-hand") return (await settleOpened(on, orderId)) ?? { ok: false, problem: "unavailable" };
  const opened = await openPayment(on, orderId, turn, payerEmail);
  if (opened.ok) return opened;
  return { ok: false, problem: opened.problem === "payment-unavailable" ? "unavailable" : "refused" };
}

/** Asks the provider about all payments of the order that were opened. Undefined if the order is still to be paid. */
export async function settleOpened(on: Db, orderId: string): Promise<NotPayable | undefined> {
  const opened = await on
    .selectFrom("payments")
    .select("reference")
    .where("orderId", "=", orderId)
    .where("state", "<>", "created")
    .orderBy("createdAt")
    .execute();
  for (const { reference } of opened) {
    const { outcome } = await settlePayment(reference, on);
    if (outcome === "sold") return { ok: false, problem: "paid", reference };
    if (outcome === "pending") return { ok: false, problem: "awaited", reference };
    if (outcome === "unavailable") return { ok: false, problem: "unavailable" };
  }
  return;
}

/**
 * A new payment if the newest one is old or has failed. Undefined if the newest one can be opened, or opened again.
 * "by-hand": staff have the money.
 */
async function prepare(
  trx: Transaction,
  orderId: string,
  payerEmail: string | null,
): Promise<Opening | "over" | "too-many" | "by-hand" | undefined> {
  const { order } = await lockOrder(trx, (await newestPayment(trx, orderId)).reference);
  const newest = await newestPayment(trx, orderId); // another press may have added one, while this one waited
  if (isByHand(newest.provider)) return "by-hand"; // staff have just recorded that they have the money
  const mode = providerOf(newest.provider).mode();
  const isTrialOver = newest.mode !== mode; // the order was put together before the shop took real money
  if (!isLive(order.state) || order.expiresAt <= new Date() || isTrialOver) return "over";
  if (!(await needsNew(trx, orderId, payerEmail))) return;
  if (payerEmail !== null && (await countOfPayers(trx, orderId)) >= MOST_OF_PAYERS) return "too-many";
  return addOpening(trx, order, newest.provider, payerEmail);
}

/**
 * A new payment of the shopper, for the locked `order`, if the newest one is old or has failed. Undefined if that one
 * can be opened, or opened again.
 */
export async function openingOf(trx: Transaction, order: Order, provider: string): Promise<Opening | undefined> {
  return (await needsNew(trx, order.id, null)) ? addOpening(trx, order, provider) : undefined;
}

/** Whether the newest payment of whoever pays, the shopper if null, is missing or old or has failed. */
async function needsNew(trx: Transaction, orderId: string, payerEmail: string | null): Promise<boolean> {
  const own = await paymentsOf(trx, orderId).where("payerEmail", "is not distinct from", payerEmail).executeTakeFirst();
  return !own || own.state === "unpaid" || Date.now() - own.createdAt.getTime() > OPENED_AGAIN_FOR;
}

async function countOfPayers(trx: Transaction, orderId: string): Promise<number> {
  const { count } = await trx
    .selectFrom("payments")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("orderId", "=", orderId)
    .where("payerEmail", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const newestPayment = (trx: Transaction, orderId: string) => paymentsOf(trx, orderId).executeTakeFirstOrThrow();

/** The newest payment of an order. */
function paymentsOf(trx: Transaction, orderId: string) {
  return trx
    .selectFrom("payments")
    .select(["reference", "provider", "mode", "state", "createdAt"])
    .where("orderId", "=", orderId)
    .orderBy("createdAt", "desc")
    .limit(1);
}
