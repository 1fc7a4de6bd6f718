import { isDeepStrictEqual } from "node:util";
import { countUnits } from "#app/cart/cart.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { planRefund, type RefundPlan, shippingLeft } from "#app/orders/refund-plan.ts";
import { refundsOf } from "#app/orders/refund-rows.server.ts";
import { isOurMistake, leftOut } from "#app/orders/returns/return.ts";
import { type LockedReturn, lockReturn, moveReturn } from "#app/orders/returns/rows.server.ts";
import { isSamePiece, quantityOf, type Units } from "#app/orders/units.ts";
import { partTexts } from "#app/orders/view.ts";
import { carryOut, lockSale, type RefundableSale } from "#app/payments/reject.server.ts";
import type { Done } from "../orders.server.ts";
import type { Proposal } from "../refunds.server.ts";
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

/** What of a return's money goes back: what its pieces come to at the order's rate, unless another sum is said. */
export type ReturnRefundWish = {
  /** Those it goes back for; all of the return where nothing is said. The others stay bought, and can be asked for again. */
  pieces?: Units[];
  kobo?: number;
  /** The original shipping too; where that is not said, it is where the shop made the mistake. */
  withShipping?: boolean;
  /** The pieces are in stock again. */
  restock?: boolean;
  /** Nothing has to come back any more. */
  waive?: boolean;
};

/** What a return's refund would come to, as a question to the owner; undefined where there is no return of this number. */
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
    const stock = restock ? "The pieces are in stock again." : "The pieces stay out of stock.";
    const bought = rest ? ` Left out, and still bought: ${rest}.` : "";
    return {
      ok: true,
      kobo: sum,
      question: `${number}: ${formatKobo(sum)} goes back to the shopper, for ${parts}. ${stock}${bought}`,
    };
  });
}

/** Gives the money of a return back, if it still comes to `agreedKobo`, and ends it. The provider is asked once, however often this is said. */
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
    // Before the refund: while it is live its pieces may not go back a second time.
    await moveReturn(trx, found, "end", { ...ended(found, wish), wish: "money", restocked: plan.restock });
    const refundId = await carryOut(trx, sale.order, plan, "returned", { words: wordsOf(found, plan.pieces) });
    await trx.updateTable("returns").set({ refundId }).where("id", "=", found.id).execute();
    const { restock, withShipping, pieces } = plan;
    const isPart = leftOut(found.pieces, pieces).length > 0;
    const part = isPart ? ` for ${countUnits(pieces)} of ${countUnits(found.pieces)} pieces` : "";
    const after = { kobo: plan.kobo, withShipping, restock, pieces };
    return { ok: true, what: `${formatKobo(kobo(plan.kobo))} goes back${part}; the shopper is told`, after };
  });
}

const CHANGED = refuse("Something of the order has gone back meanwhile: look at it again");

type Planned = { ok: true; plan: RefundPlan; sale: RefundableSale } | Extract<Done, { ok: false }>;

async function planReturnRefund(trx: Transaction, found: LockedReturn, wish: ReturnRefundWish): Promise<Planned> {
  const pieces = meantPieces(found, wish);
  const refused = refusal(found, "end", wish.waive) ?? noRestock(found, wish.restock) ?? notOfReturn(found, pieces);
  if (refused) return refused;
  const sale = await lockSale(trx, found.reference, found.id);
  if (!sale) return refuse(GIVEN_BACK);
  // A refund of the same pieces takes the place of what has failed of them, which may be another return's.
  if (sale.failed?.some((refund) => refund.pieces.some((one) => pieces.some((piece) => isSamePiece(one, piece)))))
    return refuse("A refund of such a piece has failed: have it tried again first, at its order ('orders refund')");
  const usual = isOurMistake(found.reason) && shippingLeft(sale) > 0 && wish.kobo === undefined;
  const { kobo, withShipping = usual, restock } = wish;
  // What came back is as it was bought: an exchanged piece is in no second return.
  const plan = planRefund({ ...sale, exchangedPieces: [] }, { pieces, kobo, withShipping, restock });
  return plan.ok ? { ok: true, plan, sale } : plan;
}

function meantPieces(found: LockedReturn, { pieces = found.pieces }: ReturnRefundWish): Units[] {
  return pieces.map(({ productId, size, quantity }) => ({ productId, size, quantity }));
}

/** Why its money cannot go back for these pieces. */
function notOfReturn(found: LockedReturn, pieces: Units[]): Refused | undefined {
  if (pieces.length === 0) return refuse("Choose the pieces that its money goes back for; if none came, decline it");
  for (const piece of pieces) {
    const asked = quantityOf(piece, found.pieces);
    const what = `'${piece.productId}' in ${piece.size}`;
    if (asked === 0) return refuse(`${what} is not in this return`);
    if (quantityOf(piece, pieces) > asked)
      return refuse(`Of ${what} only ${asked} ${asked === 1 ? "is" : "are"} in this return`);
  }
  return;
}

/** A form sent again is the same refund; one in which something else was chosen since is none. */
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

/** What the shopper is written about the pieces that the money is not for. */
function wordsOf(found: LockedReturn, refunded: Units[]): string | undefined {
  const rest = leftOutTexts(found, refunded);
  if (rest.length === 0) return;
  return `Left out of your return ${found.number}: ${rest.join("; ")}. You may ask again within 14 days of delivery.`;
}
