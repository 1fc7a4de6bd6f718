/**
 * What the shop keeps of a deleted customer, by column, with the reason. Everything else that could identify the
 * customer is removed. messages.ts has the text that the customer is shown.
 */
export const KEPT_AFTER_DELETION: Record<string, string> = {
  "sales.shipping":
    "country, in Nigeria the state, delivery type and cost: where and for how much was sold belongs to the books",
  "orders.shipping": "the same, of the order behind the sale",
  "order_tags.word": "what staff have tagged the order with: it is about the order, which stays",
  "order_tags.folded": "the same, as tags are compared",
  "sale_lines.title": "the pieces that were sold, with colour, size and price: they are the books",
  "receipts.contents":
    "the pieces of a receipt, with its number, sums and VAT, without name and address: the law wants receipts kept",
  "credit_notes.parts": "the same, of what was given back",
  "returns.number": "what came back, when and why, without the words and pictures: it explains the refund in the books",
  "sales.tracking": "the carrier's number: the shop can show that it has delivered",
  "payments.reference": "the order's number, by which the payment provider knows it: money can still go back",
  "hand_takings.bank_reference": "the bank's reference of a transfer: it pays once, and is found in the bank's books",
  "hand_refunds.bank_reference": "the same, of a transfer that gave money back",
  "audit_log.subject_id":
    "the account's random number, in the rows that say who deleted it, and which tags staff gave it and removed; of a customer without an account, the orders' references",
  "offer_uses.shopper":
    "hashes with a secret of the database, of who has used an offer that counts once for each customer: no name",
  "rate_limits.key": "hashes of what was tried too often: no name, gone when its time is over",
  "open_id_states.kept": "a sign-in that has not ended, with a guest's cart: no name, gone after ten minutes",
};
