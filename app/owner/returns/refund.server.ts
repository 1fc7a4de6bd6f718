import { isDeepStrictEqual } from "node:util";
import { countUnits } from "#app/cart/cart.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { emailedText } from "#app/infra/mail.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { planRefund, type RefundPlan, shippingLeft } from "#app/orders/refund-plan.ts";
import { refundsOf } from "#app/orders/refund-rows.server.ts";
import { numbersOf } from "#app/orders/returns/numbers.server.ts";
import { isOurMistake, leftOut } from "#app/orders/returns/return.ts";
import { type LockedReturn, lockReturn, moveReturn } from "#app/orders/returns/rows.server.ts";
import { isSamePiece, quantityOf, type Units } from "#app/orders/units.ts";
import { partTexts } from "#app/orders/view.ts";
import { lockSale, type RefundableSale, recordPlannedRefund } from "#app/payments/refunds/refund-sale.server.ts";
import type { Done } from "../orders/orders.server.ts";
import type { Proposal } from "../orders/refunds/refunds.server.ts";
import {
  changeReturn,
  type Deciding,
  ended,
  GIVEN_BACK,
  noRestock,
  type Refused,
  refusal,
  refuse,
} from "./change.server.ts";

/** What to refund of a return. The default is the price of its pieces at the order's exchange rate. */
export type ReturnRefundWish = {
  /** The pieces to refund, by default all. The others stay bought and can be returned again. */
  pieces?: Units[];
  kobo?: number;
  /** Whether to refund the original shipping as well. The default is yes if the shop made the mistake. */
  withShipping?: boolean;
  /** Whether the pieces go back into stock. */
  restock?: boolean;
  /** Whether the pieces need not come back after all. */
  waive?: boolean;
};

/** The refund of a return as a question to the owner. Undefined if no return has this number. */
export function proposeReturnRefund(
  on: Db | Transaction,
  number: string,
  wish: ReturnRefundWish = {},
): Promise<Proposal<{ kobo: number }> | undefined> {
  return retryingTransaction(on, async (trx) => {
    const found = await lockReturn(trx, number);
    if (!found) return;
    const planned = await planReturnRefund(trx, found, wish);
    if (!planned.ok) return planned;
    const { kobo: sum, pieces, withShipping, restock } = planned.plan;
    const parts = partTexts(found.order.lines, { pieces, withShipping }).join("; ");
    const rest = leftOutTexts(found, pieces).join("; ");
    const stock = restock ? "The items are back in stock." : "The items stay out of stock.";
    const bought = rest ? ` Left out, and still sold: ${rest}.` : "";
    return {
      ok: true,
      kobo: sum,
      question: `${number}: ${formatKobo(sum)} goes back to the shopper, for ${parts}. ${stock}${bought}`,
    };
  });
}

/**
 * Refunds a return, if the sum is still `agreedKobo`, and ends the return. A repeated call requests no second refund.
 */
export function refundReturn(
  on: Db | Transaction,
  number: string,
  { by, seen, agreedKobo, ...wish }: ReturnRefundWish & Deciding & { agreedKobo?: number },
): Promise<Done> {
  const otherThan = (trx: Transaction, found: LockedReturn) => refundedOtherwise(trx, found, wish, agreedKobo);
  return changeReturn(on, number, { by, seen, action: "returns refund", otherThan }, async (trx, found) => {
    const planned = await planReturnRefund(trx, found, wish);
    if (!planned.ok) return planned;
    const { plan, sale } = planned;
    if (agreedKobo !== undefined && plan.kobo !== agreedKobo) return CHANGED;
    // The return ends before the refund is recorded, because a live return blocks refunds of its pieces.
    await moveReturn(trx, found, "end", { ...ended(found, wish), wish: "money", restocked: plan.restock });
    const refundId = await recordPlannedRefund(trx, sale.order, plan, "returned", {
      words: wordsOf(found, plan.pieces, await numbersOf(trx, found.reference)),
    });
    await trx.updateTable("returns").set({ refundId }).where("id", "=", found.id).execute();
    const { restock, withShipping, pieces } = plan;
    const isPart = leftOut(found.pieces, pieces).length > 0;
    const part = isPart ? ` for ${countUnits(pieces)} of ${countUnits(found.pieces)} pieces` : "";
    const after = { kobo: plan.kobo, withShipping, restock, pieces };
    return {
      ok: true,
      what: `${formatKobo(kobo(plan.kobo))} goes back${part}${emailedText(found.order.email)}`,
      after,
    };
  });
}

const CHANGED = refuse("Part of this order has just been refunded. Check it again");

type Planned = { ok: true; plan: RefundPlan; sale: RefundableSale } | Extract<Done, { ok: false }>;

async function planReturnRefund(trx: Transaction, found: LockedReturn, wish: ReturnRefundWish): Promise<Planned> {
  const pieces = meantPieces(found, wish);
  const refused = refusal(found, "end", wish.waive) ?? noRestock(found, wish.restock) ?? notOfReturn(found, pieces);
  if (refused) return refused;
  const sale = await lockSale(trx, found.reference, found.id);
  if (!sale) return refuse(GIVEN_BACK);
  // A refund of the same pieces would replace a failed one, which may belong to another return.
  if (sale.failed?.some((refund) => refund.pieces.some((one) => pieces.some((piece) => isSamePiece(one, piece)))))
    return refuse("An earlier refund of this item failed. Retry that first, on its order ('orders refund')");
  const usual = isOurMistake(found.reason) && shippingLeft(sale) > 0 && wish.kobo === undefined;
  const { kobo, withShipping = usual, restock } = wish;
  // `exchangedPieces` is emptied, because the pieces of a return are as they were bought: an exchanged piece cannot be
  // returned again.
  const plan = planRefund({ ...sale, exchangedPieces: [] }, { pieces, kobo, withShipping, restock });
  return plan.ok ? { ok: true, plan, sale } : plan;
}

function meantPieces(found: LockedReturn, { pieces = found.pieces }: ReturnRefundWish): Units[] {
  return pieces.map(({ productId, size, quantity }) => ({ productId, size, quantity }));
}

/** Why the return cannot be refunded for these pieces. Undefined if it can. */
function notOfReturn(found: LockedReturn, pieces: Units[]): Refused | undefined {
  if (pieces.length === 0) return refuse("Choose the items to refund. If none arrived, decline the return");
  for (const piece of pieces) {
    const asked = quantityOf(piece, found.pieces);
    const what = `'${piece.productId}' in ${piece.size}`;
    if (asked === 0) return refuse(`${what} isn’t in this return`);
    if (quantityOf(piece, pieces) > asked)
      return refuse(`Of ${what} only ${asked} ${asked === 1 ? "is" : "are"} in this return`);
  }
  return;
}

/** Refuses a repeated form that asks for other pieces or another sum than the refund that was made. */
async function refundedOtherwise(
  trx: Transaction,
  found: LockedReturn,
  wish: ReturnRefundWish,
  agreedKobo: number | undefined,
): Promise<Refused | undefined> {
  const refund = (await refundsOf(trx, found.reference)).find(({ id }) => id === found.refundId);
  const isSame =
    isDeepStrictEqual(refund?.pieces, meantPieces(found, wish)) &&
    (agreedKobo === undefined || Number(refund?.kobo) === agreedKobo);
  return isSame ? undefined : CHANGED;
}

function leftOutTexts({ order, pieces }: LockedReturn, refunded: Units[]): string[] {
  return partTexts(order.lines, { pieces: leftOut(pieces, refunded), withShipping: false });
}

/** The text to the shopper about the pieces that the refund does not cover. Undefined if there are none. */
function wordsOf(found: LockedReturn, refunded: Units[], numbers: Numbers = SHIPPED_NUMBERS): string | undefined {
  const rest = leftOutTexts(found, refunded);
  if (rest.length === 0) return;
  return `Left out of your return ${found.number}: ${rest.join("; ")}. You may ask again within ${numbers.returnDays} days of delivery.`;
}
