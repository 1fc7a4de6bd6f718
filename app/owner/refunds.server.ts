import { isDeepStrictEqual } from "node:util";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { isForAll, planRefund, type RefundPlan, type RefundWish, shippingKobo } from "#app/orders/refund-plan.ts";
import { balanceOf, type RefundedOrder } from "#app/orders/refund-rows.server.ts";
import { partTexts } from "#app/orders/view.ts";
import { carryOut, lockSale, type RefundAsked, type RefundableSale } from "#app/payments/reject.server.ts";
import { lockKnownOrder } from "./known-order.server.ts";
import { ASKED_ONCE_MORE, retryRefunds, sumToRetry } from "./orders/refund-retry.server.ts";
import type { Done } from "./orders.server.ts";

/** What a wish of the owner comes to; `question` says it. */
export type Proposal<T = object> = ({ ok: true; question: string } & T) | { ok: false; problem: string };

/** Undefined where no money of this reference was ever a sale's or to go back. */
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
        question: `${reference}: ${sum} that did not go back is asked for once more.`,
      };
    }
    return { ok: true, kobo: found.plan.kobo, question: `${reference}: ${questionOf(found.sale, found.plan)}` };
  });
}

/** Does it, if it still comes to the sum that was agreed to; with an idempotency key once, however often it is asked for. */
export async function refundAgreed(
  trx: Transaction,
  reference: string,
  wish: RefundWish,
  agreedKobo: number,
  asked: RefundAsked = {},
): Promise<Done> {
  const before = await askedBefore(trx, asked);
  if (before && !isSameAsked(before, reference, wish, agreedKobo)) return CHANGED;
  if (before)
    return { ok: true, what: `${formatKobo(kobo(agreedKobo))} goes back; the shopper is told`, isRepeat: true };
  const found = await findRefundable(trx, reference, wish);
  if (!found) return { ok: false, problem: `There is no money of '${reference}' that could go back` };
  if ("problem" in found) return found;
  const sum = "again" in found ? found.again : found.plan.kobo;
  if (sum !== agreedKobo) return CHANGED;
  if ("again" in found) return retry(trx, found.order);
  await carryOut(trx, found.sale.order, found.plan, "returned", asked);
  return { ok: true, what: `${formatKobo(kobo(sum))} goes back; the shopper is told` };
}

/** Asks once more for what could not go back, and for nothing else. */
export async function retryFailed(trx: Transaction, reference: string): Promise<Done> {
  const order = await lockKnownOrder(trx, reference);
  if (!order || (await sumToRetry(trx, order)) === 0)
    return { ok: false, problem: "None of its money has failed to go back" };
  return retry(trx, order);
}

async function retry(trx: Transaction, order: RefundedOrder): Promise<Done> {
  const failed = await retryRefunds(trx, order);
  return { ok: true, what: ASKED_ONCE_MORE, recorded: { failed } };
}

const CHANGED: Done = { ok: false, problem: "Something of it has gone back meanwhile: look at it again" };

/** Whoever asks has locked the order, so that nobody asks for the same at once. */
async function askedBefore(trx: Transaction, { idempotencyKey }: RefundAsked) {
  if (!idempotencyKey) return;
  return trx
    .selectFrom("refunds")
    .select(["reference", "kobo", "pieces"])
    .where("idempotencyKey", "=", idempotencyKey)
    .executeTakeFirst();
}

type AskedBefore = NonNullable<Awaited<ReturnType<typeof askedBefore>>>;

/** Whether it is the same form, sent again: not one in which something else was chosen since. */
function isSameAsked(before: AskedBefore, reference: string, { pieces = [] }: RefundWish, agreedKobo: number): boolean {
  const isSameSum = before.reference === reference && Number(before.kobo) === agreedKobo;
  return isSameSum && isDeepStrictEqual(before.pieces, pieces);
}

type Found =
  | { ok: false; problem: string }
  | { again: number; order: RefundedOrder }
  | { plan: RefundPlan; sale: RefundableSale };

/** What has failed comes before anything else, unless the wish says what is to go back. */
async function findRefundable(trx: Transaction, reference: string, wish: RefundWish): Promise<Found | undefined> {
  const order = await lockKnownOrder(trx, reference);
  if (!order) return;
  const again = isForAll(wish) && !wish.restock ? await sumToRetry(trx, order) : 0;
  if (again > 0) return { again, order };
  const sale = await lockSale(trx, reference);
  const { refunding, refunded } = await balanceOf(trx, reference);
  // Said a second time, by mistake or by a program, it must not give back what was not meant.
  if (sale && refunding > 0 && isForAll(wish))
    return no(
      `${formatKobo(kobo(refunding))} of it is on its way back: wait for that, or say which pieces or sum go back as well`,
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
  const stock = pieces.length === 0 ? "" : restock ? " The pieces are in stock again." : " The pieces stay sold.";
  const before = sale.backKobo > 0 ? ` ${formatKobo(kobo(sale.backKobo))} went back before.` : ""; // else a repeated command would look like the first
  return `${formatKobo(sum)} goes back to the shopper, ${what}.${before}${stock}`;
}

function forWhat(parts: string[]): string {
  return parts.length === 0 ? "" : `, for ${parts.join("; ")}`;
}
