import { mergedLines } from "#app/orders/units.ts";
import type { OrderLine } from "#db/types.ts";
import type { FoundOrder } from "./search.server.ts";
import type { viewOrder } from "./view.server.ts";

// Orders as they are shown to staff who pack them and see neither sums nor payments nor email addresses. Each function
// names what is shown, so that a column that is added later is hidden until somebody decides otherwise.

/** An order of the list; only the sums of `FoundOrder` may be added. */
export type PackedOrder = Pick<
  FoundOrder,
  "id" | "number" | "orderedAt" | "customer" | "to" | "how" | "pieces" | "standing"
>;

export function listedToPack({ id, number, orderedAt, customer, to, how, pieces, standing }: FoundOrder): PackedOrder {
  return { id, number, orderedAt, customer, to, how, pieces, standing };
}

/** An order's page. The phone is shown, since a carrier needs it. */
export function orderToPack(order: NonNullable<Awaited<ReturnType<typeof viewOrder>>>) {
  const { number, orderedAt, state, trial, standing, isGivenBack, hasPieces, version, refundable } = order;
  const { packedAt, fulfilledAt, readyAt, deliveredAt, returnedAt, carrier, tracking, shipping, lines } = order;
  return {
    ...{ number, orderedAt, state, trial, standing, isGivenBack, hasPieces, version },
    ...{ packedAt, fulfilledAt, readyAt, deliveredAt, returnedAt, carrier, tracking },
    shipping: addressToPack(shipping),
    lines: mergedLines(lines.map(lineToPack)),
    back: refundable?.backPieces ?? [],
  };
}

export function addressToPack<Shipping extends { email: string; shippingCost: string; shippingRate: string }>({
  email,
  shippingCost,
  shippingRate,
  ...address
}: Shipping) {
  return address;
}

export function lineToPack({ productId, title, color, size, quantity, image, finalSale }: OrderLine) {
  return { productId, title, color, size, quantity, image, ...(finalSale !== undefined && { finalSale }) };
}
