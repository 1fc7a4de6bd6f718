import { countUnits } from "#app/cart/cart.ts";
import { businessDays, type Numbers, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { quantityOf, type Units } from "../units.ts";
import { sentText, type Wanted } from "./exchange.ts";
import type { ReturnState } from "./state.ts";

export const RETURN_REASONS = ["unwanted", "size", "damaged", "wrong"] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];
export type ReturnWish = "money" | "exchange";

/** Pieces of one size. `newColor` is the colour of the product `newProductId`. */
export type ReturnPiece = Units & Wanted & { newColor?: string };

/** The pieces of a return that its refund does not cover. They stay bought. Empty if there is no refund. */
export function leftOut(pieces: readonly ReturnPiece[], refunded: readonly Units[] | null): Units[] {
  if (refunded === null) return [];
  return pieces
    .map(({ productId, size, quantity }) => ({
      productId,
      size,
      quantity: quantity - quantityOf({ productId, size }, refunded),
    }))
    .filter(({ quantity }) => quantity > 0);
}

/** A return or exchange as its shopper sees it. Times are in ISO 8601. */
export type OrderReturn = {
  /** The number shown to people: RT-7K3M-2Q. */
  number: string;
  state: ReturnState;
  reason: ReturnReason;
  wish: ReturnWish;
  pieces: ReturnPiece[];
  /** The pieces that were refunded; null if there is no refund. */
  refunded: Units[] | null;
  words: string;
  answer: string;
  sendBack: boolean;
  carrier: string | null;
  tracking: string | null;
  askedAt: string;
  decidedAt: string | null;
  receivedAt: string | null;
  endedAt: string | null;
  /** The ids of the pictures, in the order in which they were added. */
  pictures: string[];
};

/** The most photographs that a return may have. */
export const MOST_PICTURES = 4;

export const REASON_TEXTS: Record<ReturnReason, string> = {
  size: "It doesn’t fit",
  unwanted: "I don’t like it after all",
  damaged: "It’s damaged",
  wrong: "It isn’t what I ordered",
};

/** Whether the shop made the mistake. The delivery is then refunded too, and the same size can be sent again. */
export function isOurMistake(reason: ReturnReason): boolean {
  return reason === "damaged" || reason === "wrong";
}

/** A return's state as a title, and what comes next. `numbers`: those of its order, if they are not the usual ones. */
export function returnWords(one: OrderReturn, numbers = SHIPPED_NUMBERS): { title: string; next: string } {
  const days = businessDays(numbers.refundDays);
  const isExchange = one.wish === "exchange";
  const what = isExchange ? "Exchange" : "Return";
  switch (one.state) {
    case "asked":
      return { title: `${what} requested`, next: "We’ll review it and email you." };
    case "approved":
      return one.sendBack
        ? {
            title: `${what} approved`,
            next: isExchange
              ? `We’re holding the ${sentText(one.pieces)} for you. Please send the items back.`
              : `Please send the pieces back: when they are here, the money follows within ${days}.`,
          }
        : {
            title: `${what} approved`,
            next: `You don’t need to send anything back. ${isExchange ? "We send it to you." : `The money follows within ${days}.`}`,
          };
    case "declined":
      return { title: `${what} declined`, next: one.answer || "Any questions? Email us." };
    case "withdrawn":
      return { title: `${what} withdrawn`, next: `You may ask again while the ${numbers.returnDays} days last.` };
    case "received":
      return {
        title: "Back with us",
        next: isExchange ? `The ${sentText(one.pieces)} leaves soon.` : `Your money follows within ${days}.`,
      };
    case "done":
      return isExchange
        ? { title: "Exchanged", next: sentWith(one) }
        : { title: "Money given back", next: `${forPart(one, numbers)}Its sum stands among the refunds of the order.` };
  }
}

function forPart({ pieces, refunded }: OrderReturn, { returnDays }: Numbers): string {
  const rest = countUnits(leftOut(pieces, refunded));
  if (rest === 0) return "";
  const all = countUnits(pieces);
  return `For ${all - rest} of ${all} pieces; for the ${rest === 1 ? "other one" : "others"} you may ask again while the ${returnDays} days last. `;
}

function sentWith({ carrier, tracking }: OrderReturn): string {
  const parcel = [carrier && `with ${carrier}`, tracking && `tracking number ${tracking}`].filter(Boolean).join(", ");
  return parcel ? `On its way to you, ${parcel}.` : "On its way to you.";
}
