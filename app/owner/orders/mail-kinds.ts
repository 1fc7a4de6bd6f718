import type { MAIL_DATA } from "#app/orders/mail-data.ts";

export type OrderMailKind = keyof typeof MAIL_DATA;

/** The mails about an order, as staff call them. */
export const MAIL_NAMES: Record<OrderMailKind, string> = {
  "order-confirmation": "Receipt",
  "order-sent": "Sent off",
  "order-ready": "Ready for pick-up",
  "refund-started": "Refund on its way",
  "refund-done": "Refund arrived",
};
export const ORDER_MAIL_KINDS = Object.keys(MAIL_NAMES) as [OrderMailKind, ...OrderMailKind[]];
