import { countUnits } from "#app/cart/cart.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import { businessDaysAfter } from "#app/shipping/business-days.ts";
import { deliveryDays } from "#app/shipping/delivery-time.ts";
import type { ShippingDetails } from "#db/types.ts";
import type { FulfilmentTimes } from "../fulfilment/progress.ts";
import type { Units } from "../units.ts";
import { type ExchangeSize, type Wanted, wantedSize } from "./exchange.ts";
import { isOurMistake, type ReturnPiece, type ReturnReason, type ReturnWish } from "./return.ts";

/** When a sold order was delivered. `at` is null if nobody has reported it; `day` is then the last expected day. */
export type Delivery = { day: Temporal.PlainDate; at: Date | null };

type Sold = FulfilmentTimes & { shipping: Pick<ShippingDetails, "country" | "deliveryWay"> };

function dayOf(time: Date, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone).toPlainDate();
}

/**
 * The delivery that was reported, otherwise the last expected day for that country or way of delivery. Undefined if
 * the order has not left.
 */
export function deliveryOf(
  { deliveredAt, fulfilledAt, readyAt, shipping }: Sold,
  zone: string,
  numbers: Numbers,
): Delivery | undefined {
  if (deliveredAt) return { day: dayOf(deliveredAt, zone), at: deliveredAt };
  const left = readyAt ?? fulfilledAt;
  const days = shipping.deliveryWay?.toDays ?? deliveryDays(shipping.country, numbers).to;
  return left ? { day: businessDaysAfter(dayOf(left, zone), days), at: null } : undefined;
}

export type ReturnDeadlines = {
  /** The last day on which a return can be requested. */
  until: Temporal.PlainDate;
  isOpen: boolean;
  /** Until when damage or a wrong piece can be reported. */
  damageUntil: Date;
  isOpenForDamage: boolean;
};

/** Until when a delivered order can be returned, in the shop's time zone. `numbers`: those that hold for the order. */
export function returnDeadlines({ day, at }: Delivery, now: Date, zone: string, numbers: Numbers): ReturnDeadlines {
  const until = day.add({ days: numbers.returnDays });
  const endOfDay = day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
  const damageUntil = new Date((at?.getTime() ?? endOfDay) + numbers.damageHours * 3_600_000);
  const isOpen = Temporal.PlainDate.compare(dayOf(now, zone), until) <= 0;
  return { until, isOpen, damageUntil, isOpenForDamage: now <= damageUntil };
}

/**
 * The last day for the refund, counted from the arrival of the pieces or, if they need not come back, from the
 * approval.
 */
export function refundDueBy(since: Date, zone: string, { refundDays }: Numbers): Temporal.PlainDate {
  return businessDaysAfter(dayOf(since, zone), refundDays);
}

/** Refunds of returns that came or were approved before this time are overdue. */
export function overdueBefore(now: Date, zone: string, { refundDays }: Pick<Numbers, "refundDays">): Date {
  const today = dayOf(now, zone);
  let first = today.subtract({ days: refundDays });
  for (;;) {
    const before = first.subtract({ days: 1 });
    if (Temporal.PlainDate.compare(businessDaysAfter(before, refundDays), today) < 0) break;
    first = before;
  }
  return new Date(first.toZonedDateTime(zone).epochMilliseconds);
}

/** The lines without `backPieces`, the pieces that are refunded or in a return: what can still be returned. */
export function returnablePieces<Line extends Units>(lines: readonly Line[], backPieces: readonly Units[]): Line[] {
  const left = new Map<string, number>();
  for (const piece of backPieces) left.set(keyOf(piece), (left.get(keyOf(piece)) ?? 0) + piece.quantity);
  return lines.map((line) => {
    const gone = Math.min(line.quantity, left.get(keyOf(line)) ?? 0);
    left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) - gone);
    return { ...line, quantity: line.quantity - gone };
  });
}

/** Merges lines of the same size: a return does not distinguish colours. */
export function bySize<Line extends Units>(lines: readonly Line[]): Line[] {
  const groups = Map.groupBy(lines, keyOf);
  return [...groups.values()].flatMap((group) => (group[0] ? [{ ...group[0], quantity: countUnits(group) }] : []));
}

/** A size of a product, and how many of it are available. */
export type SizeOnSale = { productId: string; size: string; available: number };
export type Returnable = {
  /** The pieces that can still be returned, one line per size. */
  lines: readonly (Units & { finalSale?: boolean })[];
  sizes: readonly ExchangeSize[];
  deadlines: ReturnDeadlines;
};
/** Pieces of one size, and what is wanted for them. */
export type WantedPiece = Units & Wanted;
export type ReturnRequest = {
  pieces: readonly WantedPiece[];
  reason: ReturnReason;
  words: string;
  /** How many returns the order had when the form was shown. Tells a repeated request from a new one. */
  after?: number;
};
export type ReturnFault =
  | "no-pieces"
  | "too-many"
  | "final-sale"
  | "not-that-size"
  | "not-that-color"
  | "same-size"
  | "sold-out"
  | "too-late"
  | "too-late-for-damage"
  | "no-words";
/** `at` is the index of the piece with the fault. */
export type PlannedReturn =
  | { ok: true; parts: { wish: ReturnWish; pieces: ReturnPiece[] }[] }
  | { ok: false; fault: ReturnFault; at?: number };

/**
 * Plans the returns of a request. Pieces for money and pieces for an exchange become two returns, because each ends in
 * its own way.
 */
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
  const forSize = pieces
    .filter(({ newSize }) => newSize !== null)
    .map((piece) => ({ ...piece, ...(piece.newProductId && { newColor: wantedSize(piece, order.sizes)?.color }) }));
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
  // A shopper who accepts a final sale does not accept damaged or wrong pieces.
  if (!isMistake && of.some(({ finalSale }) => finalSale)) return "final-sale";
  if (piece.newSize === null) return;
  if (piece.newSize === piece.size && !piece.newProductId && !isMistake) return "same-size";
  const other = wantedSize(piece, sizes);
  if (!other) return piece.newProductId ? "not-that-color" : "not-that-size";
  return other.available < piece.quantity ? "sold-out" : undefined;
}

function keyOf({ productId, size }: { productId: string; size: string }): string {
  return `${productId} ${size}`;
}

function no(fault: ReturnFault, at?: number): PlannedReturn {
  return { ok: false, fault, at };
}
