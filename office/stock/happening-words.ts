import type { StockHappening } from "#app/owner/catalog/stock-history.server.ts";

const TITLES: Record<Exclude<StockHappening["kind"], "set">, string> = {
  start: "In stock at first",
  sold: "Sold",
  reserved: "Reserved for a payment",
  lapsed: "Not paid, so available again",
  refunded: "Back in stock with a refund",
  returned: "Back in stock from a return",
  "exchange-held": "Reserved for an exchange",
  "exchange-ended": "Exchange ended, so available again",
  "exchange-sent": "Sent in exchange",
  "exchange-returned": "Back in stock from an exchange",
  "size-left": "Back in stock, as an order’s size changed",
  "size-taken": "Sold, as an order’s size changed",
};
const ACTIONS: Record<string, string> = {
  "stock set": "Set",
  "stock add": "Added",
  "products import": "Imported",
  "products add": "New",
  "products copy": "New",
};
const REASONS = new Map(Object.entries({ delivery: "Delivery", count: "Count", damage: "Damage" }));

export function titleOf({
  kind,
  action,
  reason,
  change,
}: Pick<StockHappening, "kind" | "action" | "reason" | "change">): string {
  if (kind !== "set") return TITLES[kind];
  const known = ACTIONS[action ?? ""] ?? "Changed";
  const done = known === "Added" && change < 0 ? "Taken out" : known;
  return reason ? `${done}: ${REASONS.get(reason) ?? reason}` : done;
}

/** A number with its sign, like "+5" or "−2". Empty for 0. */
export function signed(number: number): string {
  if (number === 0) return "";
  return number > 0 ? `+${number}` : `−${-number}`;
}
