import { pieceText } from "#app/catalog/sizes.ts";
import { FALLBACK_RATE, parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { Numbers } from "#app/numbers/numbers.ts";
import type { PickupCenter } from "#app/shipping/shipping.ts";
import type { OrderLine, RefundedPiece, ShippingDetails } from "#db/types.ts";
import type { FulfilmentTimes, Progress } from "./fulfilment/progress.ts";
import type { OrderReturn } from "./returns/return.ts";
import type { OrderState } from "./state.ts";
import type { Sums } from "./sums.ts";

/** A refund of a sale, done or under way. `at` is the time of its last change. */
export type OrderRefund = { kobo: number; isDone: boolean; pieces: RefundedPiece[]; withShipping: boolean; at: string };

/** An order as its shopper sees it. Sums are in cents and kobo, the rate in naira for one dollar. */
export type OrderView = FulfilmentTimes & {
  /** The number shown to people: IR-7K3M-2Q. */
  number: string;
  /**
   * The reference in its URL /order/{reference}: of the payment that made the sale, otherwise of the newest payment.
   */
  reference: string;
  saleId: string | null;
  state: OrderState;
  /**
   * The status that the specification names: "completed", which is shown as a green check, other words, or the status
   * in the shop from which the sale was imported.
   */
  status: string;
  lines: OrderLine[];
  shipping: ShippingDetails;
  /** For a pick-up order: the centre's current details. */
  pickup?: PickupCenter;
  email: string;
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
  rate: string;
  rateAt: Date;
  kobo: number;
  /** By how much cash was rounded down: with `kobo` the order's sum. Absent if it was not. */
  roundedKobo?: number;
  refunds: OrderRefund[];
  /** Newest first. */
  returns: OrderReturn[];
  orderedAt: Date;
  /** The parcel's carrier and tracking number. Null before it is sent off, or without one. */
  carrier: string | null;
  tracking: string | null;
  /** The carrier's page about the parcel, if its address is known. */
  trackingUrl?: string;
  /** The digits that hand the parcel over. Absent unless they are asked for, and before it was sent or is ready. */
  handoverCode?: string;
  /** Another size of a product in it is in stock. Absent unless that is so, and once it is packed. */
  hasOtherSize?: true;
  /**
   * Null if the order is not sold, if it was imported and nothing is known of its delivery, or if it stays in the shop.
   */
  progress: Progress | null;
  /** Whether all of its pieces were refunded before any was sent. */
  staysHere: boolean;
  /** The days and hours that hold for it. Absent if they are those that the shop comes with. */
  numbers?: Numbers;
  /** Whether its shopper has not dismissed its greeting yet. */
  isNew: boolean;
};

const STATUS: Record<OrderState, string> = {
  open: "Processing",
  waiting: "Awaiting payment",
  released: "Not paid",
  sold: "completed",
  refunding: "Refund on its way",
  refunded: "Refunded",
};

/**
 * The status of an order. A part refund does not change a sale's status. `imported` is the status in the shop from
 * which the sale was imported.
 */
export function statusOf(state: OrderState, imported: string | null = null): string {
  return (state === "sold" && imported) || STATUS[state];
}

/** The status of an order as words for its shopper. */
export function statusText(status: string): string {
  return status === "completed" ? "Payment completed" : status || "Processing";
}

export function refundedKobo(refunds: readonly OrderRefund[], { isDone }: { isDone: boolean }): number {
  return refunds.reduce((sum, refund) => (refund.isDone === isDone ? sum + refund.kobo : sum), 0);
}

/** How much of a sum has gone back, and how much is on its way, in words. */
export function backTexts(done: number, underWay: number, format = (sum: number) => formatKobo(kobo(sum))): string[] {
  return [
    ...(done > 0 ? [`${format(done)} has gone back to you`] : []),
    ...(underWay > 0 ? [`${format(underWay)} is on its way back to you`] : []),
  ];
}

export type RefundPart = { pieces: RefundedPiece[]; withShipping: boolean };

/** What a part refund is for: "2 × Home Jersey, Green, M". */
export function partTexts(lines: readonly OrderLine[], { pieces, withShipping }: RefundPart): string[] {
  const texts = pieces.map(({ productId, size, quantity }) => {
    const line = lines.find((one) => one.productId === productId && one.size === size);
    return `${quantity} × ${pieceText({ title: line?.title ?? productId, color: line?.color, size })}`;
  });
  return withShipping ? [...texts, "Delivery"] : texts;
}

/** The title of an order that is paid and not packed yet. `firstName` is the account's. */
export function thanks(firstName: string): string {
  return `Thank you${firstName && `, ${firstName}`}. Your order is in.`;
}

/** The exchange rate at which an order was made. */
export function rateOfOrder({ rate }: Pick<OrderView, "rate">): Rate {
  return parseRate(rate) ?? FALLBACK_RATE;
}

export function sumsOfOrder(order: Pick<OrderView, "subtotalCents" | "shippingCents" | "totalCents" | "kobo">): Sums {
  return {
    subtotalCents: usdCents(order.subtotalCents),
    shippingCents: usdCents(order.shippingCents),
    totalCents: usdCents(order.totalCents),
    kobo: kobo(order.kobo),
  };
}
