/**
 * The tables of a demo's past. None holds a secret, a session or a member of staff: each shop has its own. Customers
 * have no password until one is set through the demo's mailbox.
 */
export const PAST_TABLES = [
  "users",
  "products",
  "sale_prices",
  "price_history",
  "product_sizes",
  "carts",
  "exchange_rates",
  "orders",
  "offers",
  "offer_codes",
  "offer_uses",
  "order_notes",
  "customer_notes",
  "order_tags",
  "customer_tags",
  "payments",
  "payment_refusals",
  "sales",
  "sale_lines",
  "refunds",
  "returns",
  "return_pieces",
  "outbox",
  "audit_log",
  "subscriptions",
] as const;

/** The backup with these tables. Its one file holds the sandbox's books. */
export const PAST_FILE = "db/demo/past.jsonl.gz";
