import { countUnits } from "#app/cart/cart.ts";
import { businessDaysAfter } from "#app/shipping/business-days.ts";
import { deliveryDays } from "#app/shipping/delivery-time.ts";
import type { FulfilmentTimes } from "../fulfilment/progress.ts";
import type { Units } from "../units.ts";
import { isOurMistake, type ReturnReason, type ReturnWish } from "./return.ts";

/** Days after delivery in which a return may be asked for, and hours in which damage is told. */
export const RETURN_DAYS = 14;
export const DAMAGE_HOURS = 48;
/** Business days after the pieces have come back, until which their money must be on its way. */
const REFUND_DAYS = 7;

/** When a sold order reached its shopper; `at` where somebody has said so, else only the day by which it should have. */
export type Delivery = { day: Temporal.PlainDate; at: Date | null };

type Sold = FulfilmentTimes & { shipping: { country: string } };

function dayOf(time: Date, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone).toPlainDate();
}

/** Delivered when the owner or the carrier said so, else after the longest way to that country; undefined while it has not left the shop. */
export function deliveryOf({ deliveredAt, fulfilledAt, readyAt, shipping }: Sold, zone: string): Delivery | undefined {
  if (deliveredAt) return { day: dayOf(deliveredAt, zone), at: deliveredAt };
  const left = readyAt ?? fulfilledAt;
  return left ? { day: businessDaysAfter(dayOf(left, zone), deliveryDays(shipping.country).to), at: null } : undefined;
}

export type ReturnDeadlines = {
  /** The last day on which a return may be asked for. */
  until: Temporal.PlainDate;
  isOpen: boolean;
  /** Until when damage, or a wrong piece, may be told. */
  damageUntil: Date;
  isOpenForDamage: boolean;
};

/** Until when a delivered order may be returned, in the shop's time zone. */
export function returnDeadlines({ day, at }: Delivery, now: Date, zone: string): ReturnDeadlines {
  const until = day.add({ days: RETURN_DAYS });
  const endOfDay = day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
  const damageUntil = new Date((at?.getTime() ?? endOfDay) + DAMAGE_HOURS * 3_600_000);
  const isOpen = Temporal.PlainDate.compare(dayOf(now, zone), until) <= 0;
  return { until, isOpen, damageUntil, isOpenForDamage: now <= damageUntil };
}

/** The last day on which the money may be given back, counted from when the pieces came, or from the approval where they need not. */
export function refundDueBy(since: Date, zone: string): Temporal.PlainDate {
  return businessDaysAfter(dayOf(since, zone), REFUND_DAYS);
}

/** Whatever came before this moment should have been ended by now. */
export function overdueBefore(now: Date, zone: string): Date {
  const today = dayOf(now, zone);
  let first = today;
  for (;;) {
    const before = first.subtract({ days: 1 });
    if (Temporal.PlainDate.compare(businessDaysAfter(before, REFUND_DAYS), today) < 0) break;
    first = before;
  }
  return new Date(first.toZonedDateTime(zone).epochMilliseconds);
}

/** What of an order can still come back: bought, and neither given back nor in a return, whatever became of it. */
export function returnablePieces<Line extends Units>(lines: readonly Line[], backPieces: readonly Units[]): Line[] {
  const left = new Map<string, number>();
  for (const piece of backPieces) left.set(keyOf(piece), (left.get(keyOf(piece)) ?? 0) + piece.quantity);
  return lines.map((line) => {
    const gone = Math.min(line.quantity, left.get(keyOf(line)) ?? 0);
    left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) - gone);
    return { ...line, quantity: line.quantity - gone };
  });
}

/** A size of a product, and how many can be had of it. */
export type SizeOnSale = { productId: string; size: string; available: number };

export type Returnable = {
  /** The pieces that can still come back, a size on one line. */
  lines: readonly (Units & { finalSale?: boolean })[];
  sizes: readonly SizeOnSale[];
  deadlines: ReturnDeadlines;
};
/** Pieces of a size; `newSize` is wanted instead of them, null: their money. */
export type WantedPiece = Units & { newSize: string | null };
export type ReturnRequest = {
  pieces: readonly WantedPiece[];
  reason: ReturnReason;
  words: string;
  /** How many returns of the order its form was shown with: the same request after one more is that one, sent again. */
  after?: number;
};
export type ReturnFault =
  | "no-pieces"
  | "too-many"
  | "final-sale"
  | "not-that-size"
  | "same-size"
  | "sold-out"
  | "too-late"
  | "too-late-for-damage"
  | "no-words";
/** `at` is the piece that is meant, by its place in the request. */
export type PlannedReturn =
  | { ok: true; parts: { wish: ReturnWish; pieces: WantedPiece[] }[] }
  | { ok: false; fault: ReturnFault; at?: number };

/** What a request comes to: pieces for money and pieces for another size are two returns, as each ends in its own way. */
export function planReturn(order: Returnable, { pieces, reason, words }: ReturnRequest): PlannedReturn {
  const isMistake = isOurMistake(reason);
  if (isMistake && !order.deadlines.isOpenForDamage) return no("too-late-for-damage");
  if (!order.deadlines.isOpen) return no("too-late");
  if (pieces.length === 0) return no("no-pieces");
  for (const [at, piece] of pieces.entries()) {
    const fault = faultOf(order, piece, isMistake);
    if (fault) return no(fault, at);
  }
  if (isMistake && !words.trim()) return no("no-words");
  const forMoney = pieces.filter(({ newSize }) => newSize === null);
  const forSize = pieces.filter(({ newSize }) => newSize !== null);
  const parts = [
    { wish: "money" as const, pieces: forMoney },
    { wish: "exchange" as const, pieces: forSize },
  ];
  return { ok: true, parts: parts.filter((part) => part.pieces.length > 0) };
}

function faultOf({ lines, sizes }: Returnable, piece: WantedPiece, isMistake: boolean): ReturnFault | undefined {
  const of = lines.filter((one) => keyOf(one) === keyOf(piece));
  const left = countUnits(of);
  if (piece.quantity < 1 || piece.quantity > left) return "too-many";
  // What arrives broken, or is not what was bought, was never what the shopper agreed to keep.
  if (!isMistake && of.some(({ finalSale }) => finalSale)) return "final-sale";
  if (piece.newSize === null) return;
  if (piece.newSize === piece.size && !isMistake) return "same-size";
  const other = sizes.find(({ productId, size }) => productId === piece.productId && size === piece.newSize);
  if (!other) return "not-that-size";
  return other.available < piece.quantity ? "sold-out" : undefined;
}

function keyOf({ productId, size }: { productId: string; size: string }): string {
  return `${productId} ${size}`;
}

function no(fault: ReturnFault, at?: number): PlannedReturn {
  return { ok: false, fault, at };
}
