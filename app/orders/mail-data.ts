import type { Selectable } from "kysely";
import { z } from "zod";
import { mailPictureUrl } from "#app/catalog/product.ts";
import { chargeInKobo, FALLBACK_RATE, parseRate } from "#app/money/exchange-rate.ts";
import { formatKobo, formatPaid, formatRate, formatUsd } from "#app/money/format.ts";
import { kobo, timesCents, type UsdCents, usdCents } from "#app/money/money.ts";
import { NUMBER_NAMES, SHIPPED_NUMBERS } from "#app/numbers/numbers.ts";
import { addressLines, pickupRows } from "#app/shipping/address.ts";
import { deliveryWindow } from "#app/shipping/business-days.ts";
import type { PickupCenter } from "#app/shipping/shipping.ts";
import { wayText } from "#app/shipping/ways/text.ts";
import type { Database, OrderedNumbers, OrderLine } from "#db/types.ts";
import { dayWords } from "./fulfilment/days.ts";
import type { RefundReason } from "./issue-kind.ts";
import { mergedLines } from "./units.ts";
import { partTexts, type RefundPart } from "./view.ts";

type Order = Pick<
  Selectable<Database["orders"]>,
  "number" | "shipping" | "lines" | "subtotalCents" | "shippingCents" | "totalCents" | "rate" | "kobo"
> & { numbers: OrderedNumbers | null };

/** True if the recipient is not the verified address of the account that ordered: see reader/stranger.ts. */
const isWithheld = z.boolean().optional();

/** `picture` is an absolute URL. */
const item = z.object({
  title: z.string(),
  color: z.string(),
  size: z.string(),
  quantity: z.number(),
  picture: z.string().optional(),
});
const items = z.array(item).optional();
/** The URL of each piece's picture, in the order of the pieces. */
export const pictures = z.array(z.string().nullable()).optional();

const orderMailData = z.object({
  isWithheld,
  number: z.string(),
  reference: z.string(),
  /** Empty in stored data: the buyer's name is added when the mail is sent (reader/mails.server.ts). */
  firstName: z.string(),
  /** Sums are in dollars; `naira` is the same sum in naira. */
  lines: z.array(item.extend({ sum: z.string(), naira: z.string().optional() })),
  subtotal: z.string(),
  shipping: z.string(),
  total: z.string(),
  charged: z.string(),
  /** By how much cash was rounded down, in naira. Missing if it was not. */
  rounded: z.string().optional(),
  /** The price of a dollar, and the sums in naira. Missing in mails that an older version has queued. */
  naira: z.object({ rate: z.string(), subtotal: z.string(), shipping: z.string() }).optional(),
  /** When the order leaves and arrives, in words: "by Wednesday 25 November". */
  leavesBy: z.string(),
  arrives: z.string(),
  /** The pick-up centre; "" if the order is delivered to an address. */
  pickUpAt: z.string(),
  deliverTo: z.array(z.string()),
  /** The way of delivery with its days: "Express, 1 to 2 business days". Missing for the standard one. */
  deliveryWay: z.string().optional(),
  /** For a pick-up order: where and when to pick it up, and what to bring. */
  pickup: z.array(z.object({ title: z.string(), text: z.string() })).optional(),
  orderUrl: z.string(),
  /** True if it was handed over when it was paid, at a stall. */
  isHandedOver: z.boolean().optional(),
  /** True if somebody else than the shopper paid. */
  isPaidByOther: z.boolean().optional(),
});
/** The numbers that held for the order when the mail was queued. Missing if they are those that the shop comes with. */
export const mailNumbers = z.partialRecord(z.enum(NUMBER_NAMES), z.int()).optional();
const refundMailData = z.object({
  isWithheld,
  numbers: mailNumbers,
  number: z.string(),
  reference: z.string(),
  firstName: z.string(),
  sum: z.string(),
  reason: z.string(),
  /** True if staff took the money by hand, and give it back by hand. */
  isByHand: z.boolean().optional(),
  /** True if somebody else than the shopper paid, who gets the money back. */
  toPayer: z.boolean().optional(),
  /** Words that the staff added, or the pieces of a return that the refund does not cover. */
  words: z.string().optional(),
  /** What a part refund is for: pieces, delivery. */
  parts: z.array(z.string()).optional(),
  pictures,
  orderUrl: z.string(),
  /** Where to buy the wanted pieces again. */
  cartUrl: z.string().optional(),
});
/**
 * The parcel's carrier and tracking number, and the carrier's page about it, as far as known. A correction replaces the
 * data of an earlier mail.
 */
const sent = z.object({
  carrier: z.string().nullish(),
  tracking: z.string().nullable(),
  trackingUrl: z.string().optional(),
  isCorrection: z.boolean().optional(),
});
const placeMailData = orderMailData
  .pick({
    isWithheld: true,
    number: true,
    reference: true,
    firstName: true,
    deliverTo: true,
    deliveryWay: true,
    pickUpAt: true,
    pickup: true,
    orderUrl: true,
  })
  .extend({ items });
const sentMailData = placeMailData.extend({ arrives: z.string(), ...sent.shape });

/**
 * The data of each kind of mail about an order. It is stored when the mail is queued, with sums already formatted, and
 * parsed when the mail is sent.
 */
export const MAIL_DATA = {
  "order-confirmation": orderMailData,
  "order-sent": sentMailData,
  "order-ready": placeMailData,
  "order-address": placeMailData,
  "order-size": placeMailData,
  "refund-started": refundMailData,
  "refund-done": refundMailData,
};
export type OrderMail = z.infer<typeof orderMailData>;
export type SentMail = z.infer<typeof sentMailData>;
export type PlaceMail = z.infer<typeof placeMailData>;
export type RefundMail = z.infer<typeof refundMailData>;

/** The shop's URL, and the time zone of the days in its mails. */
type Shop = { publicUrl: URL; SHOP_TIMEZONE: string };

/**
 * `center` is the pick-up centre. Undefined if the order is delivered to an address. `chargedKobo` is less than the
 * order's sum if cash was rounded down.
 */
export function orderMail(
  order: Order,
  reference: string,
  shop: Shop,
  center?: PickupCenter,
  orderedAt = new Date(),
  chargedKobo = Number(order.kobo),
): OrderMail {
  const rate = parseRate(order.rate) ?? FALLBACK_RATE;
  const naira = (cents: UsdCents) => formatKobo(chargeInKobo(cents, rate));
  const [subtotal, shipping] = [usdCents(order.subtotalCents), usdCents(order.shippingCents)];
  return {
    ...detailsOf(order, reference, shop, center),
    ...daysOf(order, { orderedAt, sentAt: null }, shop),
    lines: order.lines.map((line) => {
      const sum = timesCents(usdCents(line.priceCents), line.quantity);
      return { ...itemOf(line, shop.publicUrl), sum: formatUsd(sum), naira: naira(sum) };
    }),
    subtotal: formatUsd(subtotal),
    shipping: formatUsd(shipping),
    total: formatUsd(usdCents(order.totalCents)),
    charged: formatKobo(kobo(chargedKobo)),
    ...(chargedKobo < Number(order.kobo) && { rounded: formatKobo(kobo(Number(order.kobo) - chargedKobo)) }),
    naira: { rate: formatRate(rate), subtotal: naira(subtotal), shipping: naira(shipping) },
    ...(order.shipping.handedOver && { isHandedOver: true }),
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
  return { ...placeMail(order, reference, shop, center), arrives, ...parcel };
}

/** The data of a mail that names where an order waits, its new address, or its pieces after a change. */
export function placeMail(order: Order, reference: string, shop: Shop, center?: PickupCenter): PlaceMail {
  const items = mergedLines(order.lines.map((line) => itemOf(line, shop.publicUrl)));
  return { ...detailsOf(order, reference, shop, center), items };
}

/** The data that most mails about an order share. */
function detailsOf({ number, shipping }: Order, reference: string, { publicUrl }: Shop, center?: PickupCenter) {
  return {
    number,
    reference,
    firstName: "",
    deliverTo: addressLines(shipping),
    ...(shipping.deliveryWay && { deliveryWay: wayText(shipping.deliveryWay) }),
    pickUpAt: shipping.pickupCenter,
    pickup: center && pickupRows(center),
    orderUrl: orderUrl(reference, publicUrl),
  };
}

function itemOf({ title, color, size, quantity, image }: OrderLine, publicUrl: URL) {
  return { title, color, size, quantity, ...(image && { picture: mailPictureUrl(image, publicUrl) }) };
}

/** The URL of each piece's picture. Null for a piece without one. */
export function picturesOf(lines: readonly OrderLine[], pieces: readonly Piece[], publicUrl: URL) {
  return pieces.map(({ productId, size }) => {
    const image = lines.find((line) => line.productId === productId && line.size === size)?.image;
    return image ? mailPictureUrl(image, publicUrl) : null;
  });
}
type Piece = Pick<OrderLine, "productId" | "size">;

function daysOf(
  { shipping, numbers }: Order,
  times: { orderedAt: Date; sentAt: Date | null },
  { SHOP_TIMEZONE }: Shop,
) {
  const { leavesBy, from, to } = deliveryWindow(
    { ...times, country: shipping.country, way: shipping.deliveryWay, numbers: { ...SHIPPED_NUMBERS, ...numbers } },
    SHOP_TIMEZONE,
  );
  const words = dayWords(new Date(), SHOP_TIMEZONE);
  return { leavesBy: `by ${words.day(leavesBy)}`, arrives: words.between(from, to) };
}

/** `part` is what a part refund is for. Undefined for a full refund. */
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
    firstName: "",
    sum: formatPaid(paid.amount, paid.currency),
    reason: reason ? REASONS[reason] : "",
    words,
    parts: part && partTexts(order.lines, part),
    pictures: part && picturesOf(order.lines, part.pieces, publicUrl),
    orderUrl: orderUrl(reference, publicUrl),
    cartUrl: reason && MAY_TRY_AGAIN.includes(reason) ? new URL("/Cart", publicUrl).href : undefined,
  };
}

const MAY_TRY_AGAIN: readonly RefundReason[] = ["out-of-stock", "price-risen", "too-late"];

/** Why money goes back, in words for the shopper. */
export const REASONS: Record<RefundReason, string> = {
  "second-charge": "You were charged a second time for an order that had already been paid.",
  "out-of-stock": "When your payment reached us, we were no longer holding your items, and some had sold out.",
  "price-risen":
    "You paid after the time for which we keep a price. Since then the price, the delivery rate or the exchange rate has risen, so we couldn’t make the order at the sum that you paid.",
  "too-late": "You paid more than a day after you began the order. We keep no order that long, so we couldn’t make it.",
  "wrong-amount": "The sum that was paid isn’t the sum of your order.",
  "wrong-currency": "The payment wasn’t made in naira.",
  "wrong-mode": "The payment was made as a test, in which no money moves.",
  returned: "It’s for your return, or as we’ve agreed with you.",
  cancelled: "Your order has been cancelled.",
  reversed: "Your bank has asked for it back.",
  provider: "It was given back by hand.",
};

function orderUrl(reference: string, publicUrl: URL): string {
  return new URL(`/order/${reference}`, publicUrl).href;
}
