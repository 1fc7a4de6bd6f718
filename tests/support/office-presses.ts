/**
 * The presses in the office that move money or stock, or mail a shopper, as "route intent". Each must be confirmed in a
 * panel ("panel") or below a question ("question"), or sends what was typed or set for it ("typed"), or takes back a
 * recent press whose mail has not been sent ("undone").
 */
export const PRESSES: Record<string, "panel" | "question" | "typed" | "undone"> = {
  "order send": "panel",
  "order ready": "panel",
  "order return": "panel",
  "order cancel": "panel",
  "order refund": "panel",
  "order give": "panel",
  "order paid": "panel",
  "order given": "panel",
  "order resend": "panel",
  "order address": "panel",
  "order size": "panel",
  "order retry": "question",
  "order-new send": "typed",
  "orders-stall sell": "typed",
  "orders-parcels mark": "typed",
  "orders-parcels-work take-back": "undone",
  "orders-steps ready": "panel",
  "orders-steps-work take-back": "undone",
  "return approve": "question",
  "return decline": "typed",
  "return receive": "question",
  "return refund": "question",
  "return exchange": "question",
  "money-issues retry": "question",
  "money-issues give-back": "question",
  "mails resend": "question",
  "mails resend-all": "question",
  "products-stock save": "typed",
};

/**
 * Presses that send no mail and change none of the shop's own books: the provider moves the money, or the shopper only
 * reads about the change.
 */
export const UNSEEN = ["money-issues give-back", "order return"];
