import { PLACEHOLDER_IMAGE, pictureUrl } from "#app/catalog/product.ts";
import { centsFromDollars, dollars, usdCents } from "#app/money/money.ts";
import { descriptionOf } from "#app/providers/descriptions.ts";
import { wayText } from "#app/shipping/ways/text.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { type FulfilmentTimes, stageOf } from "./fulfilment/progress.ts";
import { type OrderRefund, refundedKobo } from "./view.ts";

/** A sold order with all stored data. */
export type StoredSale = FulfilmentTimes & {
  saleId: string;
  userId: string | null;
  reference: string;
  /** The payment's provider. */
  provider: string;
  email: string;
  status: string;
  /** The order's status in the shop from which it was imported, if that is neither completed nor refunded. */
  importedStatus: string | null;
  lines: OrderLine[];
  shipping: ShippingDetails;
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
  kobo: number;
  refunds: OrderRefund[];
  paidAt: Date;
  soldAt: Date;
  carrier: string | null;
  tracking: string | null;
};

/**
 * A sale as the specification's document (collection Sales), with prices in dollars. `site` is the origin of picture
 * URLs.
 */
export function toSaleDocument(order: StoredSale, site: string) {
  const cents = (amount: number) => dollars(usdCents(amount));
  const { deliveryWay, handedOver: _, ...shipping } = order.shipping;
  const shippingRate = centsFromDollars(shipping.shippingRate) ?? order.shippingCents;
  return {
    userId: order.userId,
    customerDetails: {
      name: `${shipping.firstName} ${shipping.lastName}`.trim(),
      email: order.email,
      shippingAddress: {
        ...shipping,
        ...(deliveryWay && { deliveryWay: wayText(deliveryWay) }),
        shippingCost: cents(order.shippingCents),
        shippingRate: cents(shippingRate),
        paymentReference: order.reference,
      },
    },
    products: order.lines.map((line) => ({
      id: line.productId,
      title: line.title,
      name: line.title,
      price: cents(line.priceCents),
      color: line.color,
      sizes: line.size,
      selectedSize: line.size,
      quantity: line.quantity,
      images: line.image ? site + pictureUrl(line.image, 640, "jpg") : PLACEHOLDER_IMAGE,
    })),
    paymentDetails: {
      reference: order.reference,
      amount: order.kobo / 100,
      currency: "NGN",
      status: order.importedStatus ?? order.status,
      paymentMethod: descriptionOf(order.provider).name,
      paymentDate: order.paidAt.toISOString(),
      ...refundDetails(order.refunds),
    },
    shippingCost: cents(order.shippingCents),
    orderDate: order.soldAt.toISOString(),
    ...deliveryOf(order),
    totalAmount: cents(order.totalCents),
    subtotal: cents(order.subtotalCents),
  };
}

/**
 * The sale's refunds in naira. They stand beside the status, which a part refund does not change. Absent if there are
 * none.
 */
function refundDetails(refunds: OrderRefund[]) {
  if (refunds.length === 0) return {};
  return {
    refunded: refundedKobo(refunds, { isDone: true }) / 100,
    refunds: refunds.map(({ kobo, isDone, pieces, withShipping, at }) => ({
      amount: kobo / 100,
      status: isDone ? "done" : "under way",
      products: pieces.map(({ productId, size, quantity }) => ({ id: productId, selectedSize: size, quantity })),
      shipping: withShipping,
      date: new Date(at).toISOString(),
    })),
  };
}

/** The stage of delivery with its times and the carrier. Absent before the order is packed. */
function deliveryOf(order: StoredSale) {
  const status = stageOf(order);
  if (status === "paid") return {};
  const { packedAt, fulfilledAt: sentAt, readyAt, deliveredAt, returnedAt, carrier, tracking } = order;
  const times = Object.entries({ packedAt, sentAt, readyAt, deliveredAt, returnedAt });
  const known = times.flatMap(([name, time]) => (time ? [[name, time.toISOString()]] : []));
  return { delivery: { status, ...Object.fromEntries(known), carrier, tracking } };
}

/** The same document as an entry of the user's `sales`. */
export function toOrderSummary(order: StoredSale, site: string) {
  return { ...toSaleDocument(order, site), saleId: order.saleId, saleDate: order.soldAt.toISOString() };
}
