import { FALLBACK_RATE, parseRate, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo } from "#app/money/format.ts";
import { kobo, usdCents } from "#app/money/money.ts";
import type { PickupCenter } from "#app/shipping/shipping.ts";
import type { OrderLine, RefundedPiece, ShippingDetails } from "#db/types.ts";
import type { FulfilmentTimes, Progress } from "./fulfilment/progress.ts";
import type { OrderReturn } from "./returns/return.ts";
import type { OrderState } from "./state.ts";
import type { Sums } from "./sums.ts";

/** Money of a sale that has gone back, or is on its way; `at` is when that was last heard of. */
export type OrderRefund = { kobo: number; isDone: boolean; pieces: RefundedPiece[]; withShipping: boolean; at: string };

/** An order as its owner sees it; sums in cents and kobo, the rate in naira for a dollar. */
export type OrderView = FulfilmentTimes & {
  /** What people call it: IR-7K3M-2Q. */
  number: string;
  /** Opens /order/{reference}: the payment that made the sale, else the newest one. */
  reference: string;
  saleId: string | null;
  state: OrderState;
  /** As the specification shows it: a green check for "completed", else these words, or those of the shop from which the sale was imported. */
  status: string;
  lines: OrderLine[];
  shipping: ShippingDetails;
  /** The center as it is now, of an order that is picked up there. */
  pickup?: PickupCenter;
  email: string;
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
  rate: string;
  rateAt: Date;
  kobo: number;
  refunds: OrderRefund[];
  /** The newest first. */
  returns: OrderReturn[];
  orderedAt: Date;
  /** By which carrier it was sent off, and under which number; null before, or without one. */
  carrier: string | null;
  tracking: string | null;
  /** Where it is; null for what is no sale, for a sale of another shop of which nothing is known, and for one that stays here. */
  progress: Progress | null;
  /** All of its pieces have been given back before any was sent. */
  staysHere: boolean;
  /** Its shopper has not yet put away the thanks for it. */
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

/** A sale stays completed when a part of its money goes back: that stands beside it. `imported`: what another shop called it. */
export function statusOf(state: OrderState, imported: string | null = null): string {
  return (state === "sold" && imported) || STATUS[state];
}

export function refundedKobo(refunds: readonly OrderRefund[], { isDone }: { isDone: boolean }): number {
  return refunds.reduce((sum, refund) => (refund.isDone === isDone ? sum + refund.kobo : sum), 0);
}

/** How much of some money has gone back, and how much is on its way. */
export function backTexts(done: number, underWay: number, format = (sum: number) => formatKobo(kobo(sum))): string[] {
  return [
    ...(done > 0 ? [`${format(done)} has gone back to you`] : []),
    ...(underWay > 0 ? [`${format(underWay)} is on its way back to you`] : []),
  ];
}

export type RefundPart = { pieces: RefundedPiece[]; withShipping: boolean };

/** What a part of the money is for: "2 × Home Jersey, Green, M". */
export function partTexts(lines: readonly OrderLine[], { pieces, withShipping }: RefundPart): string[] {
  const texts = pieces.map(({ productId, size, quantity }) => {
    const line = lines.find((one) => one.productId === productId && one.size === size);
    return [`${quantity} × ${line?.title ?? productId}`, line?.color, size].filter(Boolean).join(", ");
  });
  return withShipping ? [...texts, "Delivery"] : texts;
}

/** The rate that an order was made at. */
export function rateOfOrder({ rate }: OrderView): Rate {
  return parseRate(rate) ?? FALLBACK_RATE;
}

export function sumsOfOrder(order: OrderView): Sums {
  return {
    subtotalCents: usdCents(order.subtotalCents),
    shippingCents: usdCents(order.shippingCents),
    totalCents: usdCents(order.totalCents),
    kobo: kobo(order.kobo),
  };
}
