/** The states of an order, from the press on Pay to its sale or the refund of its money. */
export const ORDER_STATES = ["open", "waiting", "released", "sold", "refunding", "refunded"] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export type OrderEvent =
  | "wait" // the provider reports a pending transfer
  | "release" // not paid in time, or the shopper started another order: its stock is available again
  | "sell" // paid, and the stock is available
  | "refund" // paid but cannot be sold, or the owner refunds it
  | "refunded"; // all money has gone back to the shopper

/** The state after each event, whatever the state before. */
const LEADS_TO: Record<OrderEvent, OrderState> = {
  wait: "waiting",
  release: "released",
  sell: "sold",
  refund: "refunding",
  refunded: "refunded",
};

/**
 * The events that each state accepts. A released order can still be paid late, and every payment must end in a sale or
 * a refund.
 */
const ACCEPTS: Record<OrderState, readonly OrderEvent[]> = {
  open: ["wait", "release", "sell", "refund", "refunded"],
  waiting: ["wait", "release", "sell", "refund", "refunded"],
  released: ["sell", "refund", "refunded"],
  sold: ["refund", "refunded"],
  refunding: ["refunded"],
  refunded: [],
};

/** The states in which an order may reserve stock. A shopper has at most one live order. */
export const LIVE_STATES: readonly OrderState[] = ["open", "waiting"];

export const BEGINS_AS: OrderState = "open";

/** The live states as a condition in SQL. */
export const IS_LIVE = isOneOfSql(LIVE_STATES);

/**
 * A condition in SQL: whether a row of `sales` was paid with real money. The subquery is cheap, as trial orders are few
 * and have an index.
 */
export const IS_REAL_SALE = "sales.order_id not in (select id from orders where trial)";

export function isOneOfSql(states: readonly OrderState[]): string {
  return `state in (${states.map((state) => `'${state}'`).join(", ")})`;
}

export function isLive(state: OrderState): boolean {
  return LIVE_STATES.includes(state);
}

export function stateAfter(event: OrderEvent): OrderState {
  return LEADS_TO[event];
}

/** The states in which an order accepts an event. */
export function statesThatAccept(event: OrderEvent): OrderState[] {
  return ORDER_STATES.filter((state) => ACCEPTS[state].includes(event));
}
