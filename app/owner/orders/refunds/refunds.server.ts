import { isDeepStrictEqual } from "node:util";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { emailedText, NO_ADDRESS } from "#app/infra/mail.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { isForAll, planRefund, type RefundPlan, type RefundWish, shippingKobo } from "#app/orders/refund-plan.ts";
import { balanceOf, type RefundedOrder } from "#app/orders/refund-rows.server.ts";
import { partTexts } from "#app/orders/view.ts";
import {
  lockSale,
  type RefundAsked,
  type RefundableSale,
  recordPlannedRefund,
} from "#app/payments/refunds/refund-sale.server.ts";
import { lockKnownOrder } from "../lookup.server.ts";
import { IS_TEST } from "../may-leave.ts";
import type { Done } from "../orders.server.ts";
import { ASKED_ONCE_MORE, retryRefunds, sumToRetry } from "./retry.server.ts";

/** The result of planning a refund. `question` is the text that the owner must confirm. */
export type Proposal<T = object> = ({ ok: true; question: string } & T) | { ok: false; problem: string };

/** Plans a refund. Undefined if no money of this reference was ever a sale's or refunded. */
export async function proposeRefund(
  on: Db | Transaction,
  reference: string,
  wish: RefundWish,
): Promise<Proposal<{ kobo: number }> | undefined> {
  return retryingTransaction(on, async (trx) => {
    const found = await findRefundable(trx, reference, wish);
    if (!found) return;
    if ("problem" in found) return found;
    if ("again" in found) {
      const sum = formatKobo(kobo(found.again));
      return {
        ok: true,
        kobo: found.again,
        question: `${reference}: ${sum} couldn't be refunded and is sent again.`,
      };
    }
    return { ok: true, kobo: found.plan.kobo, question: `${reference}: ${questionOf(found.sale, found.plan)}` };
  });
}

/** Carries out a refund if it still comes to the agreed sum. With an idempotency key, only once. */
export async function refundAgreed(
  trx: Transaction,
  reference: string,
  wish: RefundWish,
  agreedKobo: number,
  asked: RefundAsked = {},
): Promise<Done> {
  const before = await askedBefore(trx, asked);
  if (before && !isSameAsked(before, reference, wish, agreedKobo)) return CHANGED;
  if (before) {
    const known = await lockKnownOrder(trx, reference);
    return { ok: true, what: backText(agreedKobo, known?.order), isRepeat: true };
  }
  const found = await findRefundable(trx, reference, wish);
  if (!found) return { ok: false, problem: `There's nothing to refund on '${reference}'` };
  if ("problem" in found) return found;
  const sum = "again" in found ? found.again : found.plan.kobo;
  if (sum !== agreedKobo) return CHANGED;
  if ("again" in found) return retry(trx, found.order);
  await recordPlannedRefund(trx, found.sale.order, found.plan, "returned", asked);
  return { ok: true, what: backText(sum, found.sale.order.order) };
}

function backText(sum: number, order: { email: string } = { email: NO_ADDRESS }): string {
  return `${formatKobo(kobo(sum))} goes back${emailedText(order.email)}`;
}

/** Retries the failed refunds of a payment, and nothing else. */
export async function retryFailed(trx: Transaction, reference: string): Promise<Done> {
  const order = await lockKnownOrder(trx, reference);
  if (!order || (await sumToRetry(trx, order)) === 0) return { ok: false, problem: "None of its refunds have failed" };
  return retry(trx, order);
}

async function retry(trx: Transaction, order: RefundedOrder): Promise<Done> {
  const failed = await retryRefunds(trx, order);
  return { ok: true, what: ASKED_ONCE_MORE, recorded: { failed } };
}

const CHANGED: Done = { ok: false, problem: "Part of it has just been refunded. Check it again" };

/** The refund with this idempotency key. The caller has locked the order, so that no other request adds one. */
async function askedBefore(trx: Transaction, { idempotencyKey }: RefundAsked) {
  if (!idempotencyKey) return;
  return trx
    .selectFrom("refunds")
    .select(["reference", "kobo", "pieces"])
    .where("idempotencyKey", "=", idempotencyKey)
    .executeTakeFirst();
}

type AskedBefore = NonNullable<Awaited<ReturnType<typeof askedBefore>>>;

/** Whether a repeated form asks for the same refund, rather than for other pieces or another sum. */
function isSameAsked(before: AskedBefore, reference: string, { pieces = [] }: RefundWish, agreedKobo: number): boolean {
  const isSameSum = before.reference === reference && Number(before.kobo) === agreedKobo;
  return isSameSum && isDeepStrictEqual(before.pieces, pieces);
}

type Found =
  | { ok: false; problem: string }
  | { again: number; order: RefundedOrder }
  | { plan: RefundPlan; sale: RefundableSale };

/** Finds what a wish refers to. If the wish names nothing, failed refunds are retried first. */
async function findRefundable(trx: Transaction, reference: string, wish: RefundWish): Promise<Found | undefined> {
  const order = await lockKnownOrder(trx, reference);
  if (!order) return;
  if (order.order.trial) return no(IS_TEST);
  const again = isForAll(wish) && !wish.restock ? await sumToRetry(trx, order) : 0;
  if (again > 0) return { again, order };
  const sale = await lockSale(trx, reference);
  const { refunding, refunded } = await balanceOf(trx, reference);
  // A repeated command must not refund what the first one left.
  if (sale && refunding > 0 && isForAll(wish))
    return no(
      `${formatKobo(kobo(refunding))} of it is on its way back. Wait for that, or say which items or amount to refund as well`,
    );
  if (sale) {
    const plan = planRefund(sale, wish);
    return plan.ok ? { plan, sale } : plan;
  }
  if (refunding + refunded === 0) return;
  return no(`Its money ${refunding > 0 ? "is on its way back" : "has gone back"} already`);
}

function no(problem: string): Found {
  return { ok: false, problem };
}

function questionOf(sale: RefundableSale, { kobo: sum, pieces, withShipping, restock, isWhole }: RefundPlan): string {
  const all = formatKobo(kobo(sale.paidKobo));
  const shipping = shippingKobo(sale);
  const what = isWhole
    ? `all that is left of the ${all} that were paid${withShipping && shipping > 0 ? `, ${formatKobo(kobo(shipping))} for shipping included` : ""}`
    : `of the ${all} that were paid${forWhat(partTexts(sale.order.order.lines, { pieces, withShipping }))}`;
  const stock = pieces.length === 0 ? "" : restock ? " The items are back in stock." : " The items stay sold.";
  // Makes the question of a repeated command differ from the first question.
  const before = sale.backKobo > 0 ? ` ${formatKobo(kobo(sale.backKobo))} went back before.` : "";
  return `${formatKobo(sum)} goes back to the shopper, ${what}.${before}${stock}`;
}

function forWhat(parts: string[]): string {
  return parts.length === 0 ? "" : `, for ${parts.join("; ")}`;
}
