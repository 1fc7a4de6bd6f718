import { sizeName } from "#app/catalog/sizes.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { holdUnits, restockUnits } from "#app/orders/reservation.server.ts";
import { isOurMistake, type ReturnPiece } from "#app/orders/returns/return.ts";
import { type LockedReturn, moveReturn, newPieces, tellOfReturn } from "#app/orders/returns/rows.server.ts";
import { isSamePiece } from "#app/orders/units.ts";
import type { Parcel } from "../orders/fulfilment.server.ts";
import type { Done } from "../orders/orders.server.ts";
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

// The owner's decisions about returns and exchanges, by number. A decision that was already made is refused. Each is
// recorded in the audit log.

/** The size to send in exchange for a piece. */
export type NewSize = { productId: string; size: string; newSize: string };

/**
 * Approves a return. An exchange reserves the other size; if that is not available, nothing is done. `waive`: nothing
 * needs to be sent back. `forMoney` turns an exchange into a return for money. `newSizes` turns the return into an
 * exchange for these sizes, whatever was requested.
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
        `${missing.map(({ size, available }) => `Of ${sizeName(size)} only ${available} can be had`).join("; ")}: approve it for money, or decline it`,
      );
    await keepNewSizes(trx, found, newSizes);
    const set = { wish, answer: message, sendBack: !waive, decidedAt: new Date() };
    await moveReturn(trx, found, "approve", set);
    await tellOfReturn(trx, { ...found, wish, sendBack: !waive }, "approved", { answer: message });
    const held = wish === "exchange" ? "; the other size is reserved" : "";
    const after = { wish, sendBack: !waive, ...(newSizes.length > 0 && { newSizes }) };
    return { ok: true, what: `approved${held}; the shopper is emailed`, after };
  });
}

/** Declines a return, before or after the pieces have arrived. An exchange releases the other size. */
export function declineReturn(
  on: Db | Transaction,
  number: string,
  { message, ...deciding }: Deciding & { message: string },
): Promise<Done> {
  return changeReturn(on, number, { ...deciding, action: "returns decline" }, async (trx, found) => {
    if (!message.trim()) return refuse("Say why. The shopper will read it");
    const refused = refusal(found, "decline");
    if (refused) return refused;
    const now = new Date();
    await moveReturn(trx, found, "decline", { answer: message, decidedAt: found.decidedAt ?? now, endedAt: now });
    await tellOfReturn(trx, found, "declined", { answer: message });
    return { ok: true, what: "declined; the shopper is emailed" };
  });
}

/** Marks the pieces of a return as received. The refund is due within the order's refund days from now. */
export function receiveReturn(on: Db | Transaction, number: string, deciding: Deciding): Promise<Done> {
  return changeReturn(on, number, { ...deciding, action: "returns receive" }, async (trx, found) => {
    const refused = refusal(found, "receive");
    if (refused) return refused;
    await moveReturn(trx, found, "receive", { receivedAt: new Date() });
    await tellOfReturn(trx, found, "received");
    return { ok: true, what: "received; the shopper is emailed" };
  });
}

/** Marks the other size as sent and ends the exchange. `restock`: whether the returned pieces go back into stock. */
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
    if (found.wish !== "exchange") return refuse("The shopper gets a refund. Use 'returns refund'");
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
    return { ok: true, what: "the other size is on its way; the shopper is emailed", after };
  });
}

/** Why these sizes cannot be sent in exchange. Undefined if they can. */
function noExchange({ pieces, reason }: LockedReturn, newSizes: NewSize[]): Refused | undefined {
  if (newSizes.length === 0) return;
  const sent = pieces.map((piece) => newSizes.find((one) => isSamePiece(one, piece))?.newSize);
  if (sent.includes(undefined) || newSizes.length !== pieces.length)
    return refuse("Say which size is sent for each item of the return, and only for those");
  const isSame = pieces.some(({ size }, at) => sent[at] === size);
  return isSame && !isOurMistake(reason) ? refuse("That’s the size they bought. Choose another one") : undefined;
}

/** The return as an exchange for these sizes, or unchanged if there are none. */
function withNewSizes(found: LockedReturn, newSizes: NewSize[]): LockedReturn {
  if (newSizes.length === 0) return found;
  const newSizeOf = (piece: ReturnPiece) => newSizes.find((one) => isSamePiece(one, piece))?.newSize ?? null;
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

function goneBack({ order }: LockedReturn): Refused | undefined {
  return order.state === "sold" ? undefined : refuse(GIVEN_BACK);
}
