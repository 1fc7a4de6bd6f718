import { dollars, type UsdCents } from "#app/money/money.ts";
import type { OrderLine, ShippingDetails } from "#db/types.ts";
import { type OrderRefund, refundedKobo } from "./view.ts";

/** A sold order, as the shop keeps it. */
export type SoldOrder = {
  saleId: string;
  userId: string | null;
  reference: string;
  email: string;
  status: string;
  lines: OrderLine[];
  shipping: ShippingDetails;
  subtotalCents: number;
  shippingCents: number;
  totalCents: number;
  kobo: number;
  refunds: OrderRefund[];
  paidAt: Date;
  soldAt: Date;
};

/** A sale in the specification's shape (collection Sales), prices in dollars. */
export function toSaleDocument(order: SoldOrder, imageUrl: (line: OrderLine) => string) {
  const cents = (amount: number) => dollars(amount as UsdCents);
  return {
    userId: order.userId,
    customerDetails: {
      name: `${order.shipping.firstName} ${order.shipping.lastName}`,
      email: order.email,
      shippingAddress: { ...order.shipping, paymentReference: order.reference },
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
      images: imageUrl(line),
    })),
    paymentDetails: {
      reference: order.reference,
      amount: order.kobo / 100,
      currency: "NGN",
      status: order.status,
      paymentMethod: "Paystack",
      paymentDate: order.paidAt.toISOString(),
      ...refundDetails(order.refunds),
    },
    shippingCost: cents(order.shippingCents),
    orderDate: order.soldAt.toISOString(),
    totalAmount: cents(order.totalCents),
    subtotal: cents(order.subtotalCents),
  };
}

/** What has gone back of it, in naira; beside the status, which a part does not change. Nothing where nothing has. */
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

/** The same as an entry of the user's `sales`. */
export function toOrderSummary(order: SoldOrder, imageUrl: (line: OrderLine) => string) {
  return { ...toSaleDocument(order, imageUrl), saleId: order.saleId, saleDate: order.soldAt.toISOString() };
}
