import { sizeName } from "#app/catalog/sizes.ts";
import type { Db, Transaction } from "#app/infra/database/db.server.ts";
import { emailedText } from "#app/infra/mail.server.ts";
import { holdUnits, restockUnits } from "#app/orders/reservation.server.ts";
import { exchangeSizes } from "#app/orders/returns/exchange.server.ts";
import { type ExchangeSize, type readExchange, sentText, wantedSize } from "#app/orders/returns/exchange.ts";
import { isOurMistake, type ReturnPiece } from "#app/orders/returns/return.ts";
import { type LockedReturn, moveReturn, newPieces, tellOfReturn } from "#app/orders/returns/rows.server.ts";
import { isSamePiece, type Units } from "#app/orders/units.ts";
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

/** What is sent for a piece, such as "M" or "Blue, M". */
function sentName({ pieces }: LockedReturn, { productId, size }: Pick<Units, "productId" | "size">): string {
  const other = pieces.find(({ newProductId, newSize }) => newProductId === productId && newSize === size);
  return [other?.newColor, sizeName(size)].filter(Boolean).join(", ");
}

/** What to send in exchange for a piece. */
export type NewSize = NonNullable<ReturnType<typeof readExchange>>;

/**
 * Approves a return. An exchange reserves what is sent; if that is not available, nothing is done. `waive`: nothing
 * needs to be sent back. `forMoney` turns an exchange into a return for money. `newSizes` turns the return into an
 * exchange for these sizes or colours, whatever was requested.
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
    const offered = newSizes.some(({ newProductId }) => newProductId) ? await exchangeSizes(trx, asked.pieces) : [];
    const refused = refusal(asked, "approve") ?? goneBack(asked) ?? noExchange(asked, newSizes, offered);
    if (refused) return refused;
    const found = withNewSizes(asked, newSizes, offered);
    const wish = forMoney ? ("money" as const) : found.wish;
    const missing = wish === "exchange" ? await holdUnits(trx, newPieces(found)) : [];
    if (missing.length > 0)
      return refuse(
        `${missing.map((short) => `Of ${sentName(found, short)} only ${short.available} can be had`).join("; ")}: approve it for money, or decline it`,
      );
    if (newSizes.length > 0) await keepNewSizes(trx, found);
    const set = { wish, answer: message, sendBack: !waive, decidedAt: new Date() };
    await moveReturn(trx, found, "approve", set);
    await tellOfReturn(trx, { ...found, wish, sendBack: !waive }, "approved", { answer: message });
    const held = wish === "exchange" ? `; the ${sentText(found.pieces)} is reserved` : "";
    const after = { wish, sendBack: !waive, ...(newSizes.length > 0 && { newSizes }) };
    return { ok: true, what: `approved${held}${emailedText(found.order.email)}`, after };
  });
}

/** Declines a return, before or after the pieces have arrived. An exchange releases what it held. */
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
    return { ok: true, what: `declined${emailedText(found.order.email)}` };
  });
}

/** Marks the pieces of a return as received. The refund is due within the order's refund days from now. */
export function receiveReturn(on: Db | Transaction, number: string, deciding: Deciding): Promise<Done> {
  return changeReturn(on, number, { ...deciding, action: "returns receive" }, async (trx, found) => {
    const refused = refusal(found, "receive");
    if (refused) return refused;
    await moveReturn(trx, found, "receive", { receivedAt: new Date() });
    await tellOfReturn(trx, found, "received");
    return { ok: true, what: `received${emailedText(found.order.email)}` };
  });
}

/** Ends an exchange: what it held is sent. `restock`: whether the returned pieces go back into stock. */
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
    return { ok: true, what: `the ${sentText(found.pieces)} is on its way${emailedText(found.order.email)}`, after };
  });
}

/**
 * Why these sizes and colours cannot be sent in exchange. Undefined if they can. A colour that the shopper has chosen
 * can be sent even if its price has changed since.
 */
function noExchange(
  { pieces, reason }: LockedReturn,
  newSizes: NewSize[],
  offered: readonly ExchangeSize[],
): Refused | undefined {
  if (newSizes.length === 0) return;
  const sent = pieces.map((piece) => newSizes.find((one) => isSamePiece(one, piece)));
  if (sent.includes(undefined) || newSizes.length !== pieces.length)
    return refuse("Say which size is sent for each item of the return, and only for those");
  const isSame = pieces.some(({ size }, at) => !sent[at]?.newProductId && sent[at]?.newSize === size);
  if (isSame && !isOurMistake(reason)) return refuse("That’s the size they bought. Choose another one");
  const isOther = pieces.some((piece, at) => {
    const one = sent[at];
    return one?.newProductId && one.newProductId !== piece.newProductId && !wantedSize(one, offered);
  });
  return isOther ? refuse("Choose a colour of the same model, in the shop at the same normal price") : undefined;
}

/** The return as an exchange for these sizes and colours, or unchanged if there are none. */
function withNewSizes(found: LockedReturn, newSizes: NewSize[], offered: readonly ExchangeSize[]): LockedReturn {
  if (newSizes.length === 0) return found;
  const pieces = found.pieces.map(({ productId, size, quantity, ...asked }): ReturnPiece => {
    const sent = newSizes.find((one) => isSamePiece(one, { productId, size }));
    const isAsked = sent?.newProductId === asked.newProductId;
    const newColor = sent && (isAsked ? asked.newColor : wantedSize(sent, offered)?.color);
    return { productId, size, quantity, newSize: null, ...sent, ...(newColor && { newColor }) };
  });
  return { ...found, wish: "exchange", pieces };
}

async function keepNewSizes(trx: Transaction, { id, pieces }: LockedReturn): Promise<void> {
  for (const { productId, size, newSize, newProductId = null, newColor = null } of pieces)
    await trx
      .updateTable("returnPieces")
      .set({ newSize, newProductId, newColor })
      .where("returnId", "=", id)
      .where("productId", "=", productId)
      .where("size", "=", size)
      .execute();
}

function goneBack({ order }: LockedReturn): Refused | undefined {
  return order.state === "sold" ? undefined : refuse(GIVEN_BACK);
}
