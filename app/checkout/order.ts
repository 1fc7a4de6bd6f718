import type { OrderLine, ShippingDetails } from "#db/types.ts";
import type { OrderState } from "./order-state.ts";

/** An order as its owner sees it; sums in cents and kobo, the rate in naira for a dollar. */
export type Order = {
  /** Opens /order/{reference}: the payment that made the sale, else the newest one. */
  reference: string;
  saleId: string | null;
  state: OrderState;
  /** As the specification shows it: a green check for "completed". */
  status: "completed" | "Processing" | "Awaiting payment" | "Refund on its way" | "Refunded" | "Not paid";
  lines: OrderLine[];
  shipping: ShippingDetails;
  email: string;
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
  rate: string;
  rateAt: Date;
  kobo: number;
  orderedAt: Date;
  /** When it was sent off, by which carrier and under which number; null before, or without one. */
  fulfilledAt: Date | null;
  carrier: string | null;
  tracking: string | null;
};

const STATUS: Record<OrderState, Order["status"]> = {
  open: "Processing",
  waiting: "Awaiting payment",
  released: "Not paid",
  sold: "completed",
  refunding: "Refund on its way",
  refunded: "Refunded",
};

export function statusOf(state: OrderState): Order["status"] {
  return STATUS[state];
}
