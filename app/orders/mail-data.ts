import type { Selectable } from "kysely";
import { z } from "zod";
import { formatKobo, formatPaid, formatUsd } from "#app/money/format.ts";
import { kobo, timesCents, usdCents } from "#app/money/money.ts";
import { addressLines, pickupRows } from "#app/shipping/address.ts";
import { deliveryWindow } from "#app/shipping/business-days.ts";
import type { PickupCenter } from "#app/shipping/shipping.ts";
import type { Database } from "#db/types.ts";
import { dayWords } from "./fulfilment/days.ts";
import type { RefundReason } from "./issue-kind.ts";
import { partTexts, type RefundPart } from "./view.ts";

type Order = Pick<
  Selectable<Database["orders"]>,
  "number" | "shipping" | "lines" | "subtotalCents" | "shippingCents" | "totalCents" | "kobo"
>;

const orderMailData = z.object({
  number: z.string(),
  reference: z.string(),
  firstName: z.string(),
  lines: z.array(
    z.object({ title: z.string(), color: z.string(), size: z.string(), quantity: z.number(), sum: z.string() }),
  ),
  subtotal: z.string(),
  shipping: z.string(),
  total: z.string(),
  charged: z.string(),
  /** By when it has left, and between which days it arrives: "by Wednesday 25 November". */
  leavesBy: z.string(),
  arrives: z.string(),
  /** The pick-up centre; empty where it is delivered to an address. */
  pickUpAt: z.string(),
  deliverTo: z.array(z.string()),
  /** Of an order that is picked up: where, when, and what to bring. */
  pickup: z.array(z.object({ title: z.string(), text: z.string() })).optional(),
  orderUrl: z.string(),
});
const refundMailData = z.object({
  number: z.string(),
  reference: z.string(),
  firstName: z.string(),
  sum: z.string(),
  reason: z.string(),
  /** What staff have added in their own words, or which pieces of a return the money is not for. */
  words: z.string().optional(),
  /** What a part of the money is for: pieces, delivery. */
  parts: z.array(z.string()).optional(),
  orderUrl: z.string(),
  /** Where to buy the wanted pieces after all. */
  cartUrl: z.string().optional(),
});
/** Who carries a parcel and under which number, as far as that is known; a correction replaces what an earlier mail said of it. */
const sent = z.object({
  carrier: z.string().nullish(),
  tracking: z.string().nullable(),
  isCorrection: z.boolean().optional(),
});
const readyMailData = orderMailData.pick({
  number: true,
  reference: true,
  firstName: true,
  deliverTo: true,
  pickUpAt: true,
  pickup: true,
  orderUrl: true,
});
const sentMailData = readyMailData.extend({ arrives: z.string(), ...sent.shape });

/** What each mail about an order says, by its kind: sums are written out when it is queued, and parsed when it is sent. */
export const MAIL_DATA = {
  "order-confirmation": orderMailData,
  "order-sent": sentMailData,
  "order-ready": readyMailData,
  "refund-started": refundMailData,
  "refund-done": refundMailData,
};
export type OrderMail = z.infer<typeof orderMailData>;
export type SentMail = z.infer<typeof sentMailData>;
export type ReadyMail = z.infer<typeof readyMailData>;
export type RefundMail = z.infer<typeof refundMailData>;

/** The shop that writes: where it is found, and the time zone of the days that it names. */
type Shop = { publicUrl: URL; SHOP_TIMEZONE: string };

/** `center`: where it is picked up; undefined where it is delivered to an address. */
export function orderMail(
  order: Order,
  reference: string,
  shop: Shop,
  center?: PickupCenter,
  orderedAt = new Date(),
): OrderMail {
  return {
    ...mailed(order, reference, shop, center),
    ...daysOf(order, { orderedAt, sentAt: null }, shop),
    lines: order.lines.map(({ title, color, size, quantity, priceCents }) => ({
      title,
      color,
      size,
      quantity,
      sum: formatUsd(timesCents(usdCents(priceCents), quantity)),
    })),
    subtotal: formatUsd(usdCents(order.subtotalCents)),
    shipping: formatUsd(usdCents(order.shippingCents)),
    total: formatUsd(usdCents(order.totalCents)),
    charged: formatKobo(kobo(Number(order.kobo))),
  };
}

export function sentMail(
  order: Order,
  reference: string,
  { orderedAt, sentAt, ...parcel }: z.infer<typeof sent> & { orderedAt: Date; sentAt: Date },
  shop: Shop,
  center?: PickupCenter,
): SentMail {
  const { arrives } = daysOf(order, { orderedAt, sentAt }, shop);
  return { ...mailed(order, reference, shop, center), arrives, ...parcel };
}

export function readyMail(order: Order, reference: string, shop: Shop, center?: PickupCenter): ReadyMail {
  return mailed(order, reference, shop, center);
}

function mailed(
  { number, shipping }: Order,
  reference: string,
  { publicUrl }: Shop,
  center: PickupCenter | undefined,
): ReadyMail {
  return {
    number,
    reference,
    firstName: shipping.firstName,
    deliverTo: addressLines(shipping),
    pickUpAt: shipping.pickupCenter,
    pickup: center && pickupRows(center),
    orderUrl: orderUrl(reference, publicUrl),
  };
}

function daysOf({ shipping }: Order, times: { orderedAt: Date; sentAt: Date | null }, { SHOP_TIMEZONE }: Shop) {
  const { leavesBy, from, to } = deliveryWindow({ ...times, country: shipping.country }, SHOP_TIMEZONE);
  const words = dayWords(new Date(), SHOP_TIMEZONE);
  return { leavesBy: `by ${words.day(leavesBy)}`, arrives: words.between(from, to) };
}

/** `part` says what is given back where that is not all. */
export function refundMail(
  order: Order,
  reference: string,
  paid: { amount: number; currency: string },
  reason: RefundReason | undefined,
  publicUrl: URL,
  part?: RefundPart,
  words?: string,
): RefundMail {
  return {
    number: order.number,
    reference,
    firstName: order.shipping.firstName,
    sum: formatPaid(paid.amount, paid.currency),
    reason: reason ? REASONS[reason] : "",
    words,
    parts: part && partTexts(order.lines, part),
    orderUrl: orderUrl(reference, publicUrl),
    cartUrl: reason && MAY_TRY_AGAIN.includes(reason) ? new URL("/Cart", publicUrl).href : undefined,
  };
}

const MAY_TRY_AGAIN: readonly RefundReason[] = ["out-of-stock", "price-risen", "too-late"];

/** Why money goes back, as its shopper is told. */
export const REASONS: Record<RefundReason, string> = {
  "second-charge": "You were charged a second time for an order that had already been paid.",
  "out-of-stock":
    "When your payment reached us, your items were not put aside for you, and not all of them could still be had.",
  "price-risen":
    "You paid after the time for which we keep a price. Since then the price, the delivery rate or the exchange rate has risen, so we could not make the order at the sum that you paid.",
  "too-late":
    "You paid more than a day after you began the order. We keep no order that long, so we could not make it.",
  "wrong-amount": "The sum that was paid is not the sum of your order.",
  "wrong-currency": "The payment was not made in naira.",
  "wrong-mode": "The payment was made as a test, in which no money moves.",
  returned: "It is for your return, or as we have agreed with you.",
  cancelled: "Your order has been cancelled.",
  reversed: "Your bank has asked for it back.",
  provider: "It was given back by hand.",
};

function orderUrl(reference: string, publicUrl: URL): string {
  return new URL(`/order/${reference}`, publicUrl).href;
}
