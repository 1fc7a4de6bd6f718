import type { MAIL_DATA } from "#app/orders/mail-data.ts";

export type OrderMailKind = keyof typeof MAIL_DATA;

/** The names of the mails about an order in the office. */
export const MAIL_NAMES: Record<OrderMailKind, string> = {
  "order-confirmation": "Receipt",
  "order-sent": "Sent off",
  "order-ready": "Ready for pick-up",
  "order-address": "Delivery details changed",
  "order-size": "Size changed",
  "refund-started": "Refund on its way",
  "refund-done": "Refund arrived",
};
export const ORDER_MAIL_KINDS = Object.keys(MAIL_NAMES) as [OrderMailKind, ...OrderMailKind[]];
