import type { UpdateObject } from "kysely";
import { type Actor, recordChange } from "#app/infra/audit.server.ts";
import { type Db, retryingTransaction, type Transaction } from "#app/infra/database/db.server.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo } from "#app/money/money.ts";
import { planRefund, type RefundPlan, shippingKobo } from "#app/orders/refund-plan.ts";
import { refundsOf } from "#app/orders/refund-rows.server.ts";
import { holdUnits, restockUnits } from "#app/orders/reservation.server.ts";
import { isOurMistake } from "#app/orders/returns/return.ts";
import { type LockedReturn, lockReturn, moveReturn, newPieces, tellOfReturn } from "#app/orders/returns/rows.server.ts";
import { acceptsReturnEvent, type ReturnEvent } from "#app/orders/returns/state.ts";
import { partTexts } from "#app/orders/view.ts";
import { carryOut, lockSale, type RefundableSale } from "#app/payments/reject.server.ts";
import type { Database } from "#db/types.ts";
import type { Parcel } from "../fulfilment.server.ts";
import type { Done } from "../orders.server.ts";
import type { Proposal } from "../refunds.server.ts";
import { actsOnReturn } from "./acts.server.ts";

// What the owner decides about returns and exchanges, by their numbers. Each is refused where it was done before, and leaves its row in the audit log.

/**
 * Who decides. `seen`: the last act of staff on it that they knew of, by its place in the audit log. When others have done more since, nothing is changed, and
 * the answer says what; when it was the same by the same person, as by a second press, that is answered.
 */
export type Deciding = { by: Actor; seen?: string };

/** Which other size is sent for a piece. */
export type NewSize = { productId: string; size: string; newSize: string };

/**
 * Says yes. Of an exchange the other size is held from now on: where it cannot be had, nothing is done. `waive`: nothing has to be sent back; `forMoney`
 * makes an exchange a return for money; `newSizes` makes it an exchange for these, whatever was asked for.
 */
export function approveReturn(
  on: Db | Transaction,
  number: string,
  {
    message = "",
    waive = false,
    forMoney = false,
    newSizes = [],
    ...deciding
  }: Deciding & { message?: string; waive?: boolean; forMoney?: boolean; newSizes?: NewSize[] },
): Promise<Done> {
  return changeReturn(on, number, { ...deciding, action: "returns approve" }, async (trx, asked) => {
    const refused = refusal(asked, "approve") ?? goneBack(asked) ?? noExchange(asked, newSizes);
    if (refused) return refused;
    const found = withNewSizes(asked, newSizes);
    const wish = forMoney ? ("money" as const) : found.wish;
    const missing = wish === "exchange" ? await holdUnits(trx, newPieces(found)) : [];
    if (missing.length > 0)
      return refuse(
        `${missing.map(({ size, available }) => `Of ${size} only ${available} can be had`).join("; ")}: approve it for money, or decline it`,
      );
    await keepNewSizes(trx, found, newSizes);
    const set = { wish, answer: message, sendBack: !waive, decidedAt: new Date() };
    await moveReturn(trx, found, "approve", set);
    await tellOfReturn(trx, { ...found, wish, sendBack: !waive }, "approved", { answer: message });
    const held = wish === "exchange" ? "; the other size is held" : "";
    const after = { wish, sendBack: !waive, ...(newSizes.length > 0 && { newSizes }) };
    return { ok: true, what: `approved${held}; the shopper is told`, after };
  });
}

/** Says no, before or after the pieces have come; an exchange holds nothing any more. */
export function declineReturn(
  on: Db | Transaction,
  number: string,
  { message, ...deciding }: Deciding & { message: string },
): Promise<Done> {
  return changeReturn(on, number, { ...deciding, action: "returns decline" }, async (trx, found) => {
    if (!message.trim()) return refuse("Say why: the shopper reads it");
    const refused = refusal(found, "decline");
    if (refused) return refused;
    const now = new Date();
    await moveReturn(trx, found, "decline", { answer: message, decidedAt: found.decidedAt ?? now, endedAt: now });
    await tellOfReturn(trx, found, "declined", { answer: message });
    return { ok: true, what: "declined; the shopper is told" };
  });
}

/** Says that the pieces are back. From now on their money is due within 7 business days. */
export function receiveReturn(on: Db | Transaction, number: string, deciding: Deciding): Promise<Done> {
  return changeReturn(on, number, { ...deciding, action: "returns receive" }, async (trx, found) => {
    const refused = refusal(found, "receive");
    if (refused) return refused;
    await moveReturn(trx, found, "receive", { receivedAt: new Date() });
    await tellOfReturn(trx, found, "received");
    return { ok: true, what: "received; the shopper is told" };
  });
}

/** What of a return's money goes back: what its pieces come to at the order's rate, unless another sum is said. */
export type ReturnRefundWish = {
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
    const stock = restock ? "The pieces are in stock again." : "The pieces stay out of stock.";
    return {
      ok: true,
      kobo: sum,
      question: `${number}: ${formatKobo(sum)} goes back to the shopper, for ${parts}. ${stock}`,
    };
  });
}

/** Gives the money of a return back, if it still comes to `agreedKobo`, and ends it. The provider is asked once, however often this is said. */
export function refundReturn(
  on: Db | Transaction,
  number: string,
  { by, seen, agreedKobo, ...wish }: ReturnRefundWish & Deciding & { agreedKobo?: number },
): Promise<Done> {
  return changeReturn(on, number, { by, seen, action: "returns refund" }, async (trx, found) => {
    const planned = await planReturnRefund(trx, found, wish);
    if (!planned.ok) return planned;
    const { plan, sale } = planned;
    if (agreedKobo !== undefined && plan.kobo !== agreedKobo)
      return refuse("Something of the order has gone back meanwhile: look at it again");
    // Before the refund: while it is live its pieces may not go back a second time.
    await moveReturn(trx, found, "end", { ...ended(found, wish), wish: "money", restocked: plan.restock });
    const refundId = await carryOut(trx, sale.order, plan, "returned");
    await trx.updateTable("returns").set({ refundId }).where("id", "=", found.id).execute();
    const { restock, withShipping } = plan;
    const after = { kobo: plan.kobo, withShipping, restock };
    return { ok: true, what: `${formatKobo(kobo(plan.kobo))} goes back; the shopper is told`, after };
  });
}

/** Says that the other size has left, and ends the exchange; `restock`: the pieces that came back are in stock again. */
export function sendExchange(
  on: Db | Transaction,
  number: string,
  {
    carrier,
    tracking,
    restock = false,
    waive,
    ...deciding
  }: Parcel & Deciding & { restock?: boolean; waive?: boolean },
): Promise<Done> {
  return changeReturn(on, number, { ...deciding, action: "returns exchange" }, async (trx, found) => {
    if (found.wish !== "exchange") return refuse("Its shopper gets money back: say 'returns refund'");
    const refused = refusal(found, "end", waive) ?? goneBack(found) ?? noRestock(found, restock);
    if (refused) return refused;
    await moveReturn(trx, found, "end", {
      ...ended(found, { waive }),
      carrier,
      tracking,
      restocked: restock,
      sent: true,
    });
    if (restock) await restockUnits(trx, found.pieces);
    await tellOfReturn(trx, found, "sent", { carrier, tracking });
    const after = { sent: newPieces(found), restock, carrier, tracking };
    return { ok: true, what: "the other size is on its way; the shopper is told", after };
  });
}

type Changed = { ok: true; what: string; after?: object } | Extract<Done, { ok: false }>;

async function changeReturn(
  on: Db | Transaction,
  number: string,
  { by, seen, action }: Deciding & { action: string },
  change: (trx: Transaction, found: LockedReturn) => Promise<Changed>,
): Promise<Done> {
  return retryingTransaction(on, async (trx): Promise<Done> => {
    const found = await lockReturn(trx, number);
    if (!found) return refuse(`There is no return ${number}`);
    const since = seen === undefined ? [] : await actsOnReturn(trx, number, seen);
    const [first, ...others] = since;
    if (first?.action === action && first.actor === by.name && others.length === 0)
      return { ok: true, what: first.done ?? "done", isRepeat: true };
    if (since.length > 0) return { ok: false, problem: "Somebody else has changed this return meanwhile", since };
    const done = await change(trx, found);
    if (!done.ok) return done;
    const { state } = await trx
      .selectFrom("returns")
      .select("state")
      .where("id", "=", found.id)
      .executeTakeFirstOrThrow();
    await recordChange(trx, {
      by,
      action,
      subject: { kind: "return", id: number },
      before: { state: found.state, wish: found.wish },
      after: { order: found.order.number, state, ...done.after, done: done.what },
    });
    return { ok: true, what: done.what };
  });
}

type Planned = { ok: true; plan: RefundPlan; sale: RefundableSale } | Extract<Done, { ok: false }>;

async function planReturnRefund(trx: Transaction, found: LockedReturn, wish: ReturnRefundWish): Promise<Planned> {
  const refused = refusal(found, "end", wish.waive) ?? noRestock(found, wish.restock);
  if (refused) return refused;
  const sale = await lockSale(trx, found.reference, found.id);
  if (!sale) return refuse(GIVEN_BACK);
  // A refund of the same pieces takes the place of what has failed of them, which may be another return's.
  const failed = (await refundsOf(trx, found.reference)).filter(({ state }) => state === "failed");
  if (failed.some(({ pieces }) => pieces.some((one) => found.pieces.some((piece) => isSamePiece(one, piece)))))
    return refuse("A refund of such a piece has failed: have it tried again first, at its order ('orders refund')");
  const pieces = found.pieces.map(({ productId, size, quantity }) => ({ productId, size, quantity }));
  const usual = isOurMistake(found.reason) && !sale.isShippingBack && shippingKobo(sale) > 0 && wish.kobo === undefined;
  const { kobo, withShipping = usual, restock } = wish;
  // What came back is as it was bought: an exchanged piece is in no second return.
  const plan = planRefund({ ...sale, exchangedPieces: [] }, { pieces, kobo, withShipping, restock });
  return plan.ok ? { ok: true, plan, sale } : plan;
}

const GIVEN_BACK = "The order's money has been given back";

/** Why a return does not accept this now; undefined where it does. */
function refusal({ state, sendBack }: LockedReturn, event: ReturnEvent, waive = false): Refused | undefined {
  if (!acceptsReturnEvent(state, event)) {
    if (state === "asked") return refuse("It has not been approved: say 'returns approve'");
    return refuse(`It is ${state} already`);
  }
  if (event === "end" && state === "approved" && sendBack && !waive)
    return refuse("Its pieces have not come back: say 'returns receive', or --keep where they need not");
  return;
}

/** Why these sizes cannot be sent for a return's pieces. */
function noExchange({ pieces, reason }: LockedReturn, newSizes: NewSize[]): Refused | undefined {
  if (newSizes.length === 0) return;
  const sent = pieces.map((piece) => newSizes.find((one) => isSamePiece(one, piece))?.newSize);
  if (sent.includes(undefined) || newSizes.length !== pieces.length)
    return refuse("Say which size is sent for each piece of the return, and for no other");
  const isSame = pieces.some(({ size }, at) => sent[at] === size);
  return isSame && !isOurMistake(reason) ? refuse("That is the size that was bought: choose another one") : undefined;
}

/** The return as an exchange for these sizes; without any as it is. */
function withNewSizes(found: LockedReturn, newSizes: NewSize[]): LockedReturn {
  if (newSizes.length === 0) return found;
  const newSizeOf = (piece: Piece) => newSizes.find((one) => isSamePiece(one, piece))?.newSize ?? null;
  return { ...found, wish: "exchange", pieces: found.pieces.map((one) => ({ ...one, newSize: newSizeOf(one) })) };
}

async function keepNewSizes(trx: Transaction, { id }: LockedReturn, newSizes: NewSize[]): Promise<void> {
  for (const { productId, size, newSize } of newSizes)
    await trx
      .updateTable("returnPieces")
      .set({ newSize })
      .where("returnId", "=", id)
      .where("productId", "=", productId)
      .where("size", "=", size)
      .execute();
}

type Piece = { productId: string; size: string };
function isSamePiece(one: Piece, other: Piece): boolean {
  return one.productId === other.productId && one.size === other.size;
}

function goneBack({ order }: LockedReturn): Refused | undefined {
  return order.state === "sold" ? undefined : refuse(GIVEN_BACK);
}

function noRestock({ state }: LockedReturn, restock = false): Refused | undefined {
  return restock && state !== "received"
    ? refuse("Its pieces have not come back, and cannot be in stock again")
    : undefined;
}

function ended({ sendBack }: LockedReturn, { waive = false }: { waive?: boolean }): UpdateObject<Database, "returns"> {
  return { endedAt: new Date(), sendBack: sendBack && !waive };
}

type Refused = { ok: false; problem: string };
function refuse(problem: string): Refused {
  return { ok: false, problem };
}
