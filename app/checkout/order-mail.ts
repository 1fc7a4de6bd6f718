import type { Selectable } from "kysely";
import { formatKobo, formatUsd } from "#app/money/format.ts";
import { kobo, timesCents, usdCents } from "#app/money/money.ts";
import type { Database } from "#db/types.ts";
import type { RefundReason } from "./break-kind.ts";
import { partTexts, type RefundPart } from "./order.ts";
import { isNigeria } from "./shipping.ts";

type Attempt = Selectable<Database["attempts"]>;

/** What the order confirmation says; sums are written out. */
export type OrderMail = {
  reference: string;
  firstName: string;
  lines: { title: string; color: string; size: string; quantity: number; sum: string }[];
  subtotal: string;
  shipping: string;
  total: string;
  charged: string;
  deliveryTime: string;
  deliverTo: string[];
  orderUrl: string;
};

export type RefundMail = {
  reference: string;
  firstName: string;
  sum: string;
  reason: string;
  /** What a part of the money is for: pieces, delivery. */
  parts?: string[];
  orderUrl: string;
};

export function orderMail(attempt: Attempt, reference: string, publicUrl: URL): OrderMail {
  return {
    reference,
    firstName: attempt.shipping.firstName,
    lines: attempt.lines.map(({ title, color, size, quantity, priceCents }) => ({
      title,
      color,
      size,
      quantity,
      sum: formatUsd(timesCents(usdCents(priceCents), quantity)),
    })),
    subtotal: formatUsd(usdCents(attempt.subtotalCents)),
    shipping: formatUsd(usdCents(attempt.shippingCents)),
    total: formatUsd(usdCents(attempt.totalCents)),
    charged: formatKobo(kobo(Number(attempt.kobo))),
    deliveryTime: `delivery takes ${isNigeria(attempt.shipping.country) ? "3 to 7" : "7 to 14"} business days`,
    deliverTo: addressLines(attempt.shipping),
    orderUrl: orderUrl(reference, publicUrl),
  };
}

/** A sale has been sent off; `tracking` is the carrier's number or empty. */
export type SentMail = Pick<OrderMail, "reference" | "firstName" | "deliverTo" | "deliveryTime" | "orderUrl"> & {
  tracking: string;
};

export function sentMail(attempt: Attempt, reference: string, tracking: string, publicUrl: URL): SentMail {
  const { firstName, deliverTo, deliveryTime, orderUrl } = orderMail(attempt, reference, publicUrl);
  return { reference, firstName, deliverTo, deliveryTime, orderUrl, tracking };
}

/** `part` says what is given back where that is not all. */
export function refundMail(
  attempt: Attempt,
  reference: string,
  paid: { amount: number; currency: string },
  reason: RefundReason | undefined,
  publicUrl: URL,
  part?: RefundPart,
): RefundMail {
  const naira = paid.currency === "NGN";
  return {
    reference,
    firstName: attempt.shipping.firstName,
    sum: naira ? formatKobo(kobo(paid.amount)) : `${paid.currency} ${(paid.amount / 100).toFixed(2)}`,
    reason: reason ? REASONS[reason] : "",
    parts: part && partTexts(attempt.lines, part),
    orderUrl: orderUrl(reference, publicUrl),
  };
}

const REASONS: Record<RefundReason, string> = {
  "second-charge": "You were charged a second time for an order that had already been paid.",
  "out-of-stock": "Your payment reached us after the time we could hold your items, and they have sold out meanwhile.",
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

/** Where an order goes, as lines of an address. */
export function addressLines(shipping: Attempt["shipping"]): string[] {
  const { firstName, lastName, pickupCenter, apartment, address, landmark, city, localGovernment, state } = shipping;
  const { postalCode, country, phoneNumber } = shipping;
  const join = (...parts: string[]) => parts.filter(Boolean).join(", ");
  const place = pickupCenter
    ? [`Pick-up: ${pickupCenter}`]
    : [join(apartment, address), landmark && `Near ${landmark}`, join(city, localGovernment), join(state, postalCode)];
  return [`${firstName} ${lastName}`, ...place, country, phoneNumber].filter(Boolean);
}
