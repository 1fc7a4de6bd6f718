/** What may happen to an order, from the press on Pay to the money's last move. */
export const ORDER_STATES = ["open", "waiting", "released", "sold", "refunding", "refunded"] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export type OrderEvent =
  | "wait" // the provider says that a transfer is on its way
  | "release" // nothing was paid in time, or the shopper began anew: its stock can be bought again
  | "sell" // paid, and the stock is there
  | "refund" // paid, but it cannot be sold; or the owner gives the money back
  | "refunded"; // the money is back with the shopper

/** The state that an event leads to, whatever the state before. */
const LEADS_TO: Record<OrderEvent, OrderState> = {
  wait: "waiting",
  release: "released",
  sell: "sold",
  refund: "refunding",
  refunded: "refunded",
};

/** The events that each state accepts. A released order can still be paid late: money always ends in a sale or a refund. */
const ACCEPTS: Record<OrderState, readonly OrderEvent[]> = {
  open: ["wait", "release", "sell", "refund", "refunded"],
  waiting: ["wait", "release", "sell", "refund", "refunded"],
  released: ["sell", "refund", "refunded"],
  sold: ["refund", "refunded"],
  refunding: ["refunded"],
  refunded: [],
};

/** While live, an order holds stock, and its shopper has no other one. */
export const LIVE_STATES: readonly OrderState[] = ["open", "waiting"];

/** The state of a new order. */
export const BEGINS_AS: OrderState = "open";

/** The live states as a condition in SQL. */
export const IS_LIVE = isOneOf(LIVE_STATES);

export function isOneOf(states: readonly OrderState[]): string {
  return `state in (${states.map((state) => `'${state}'`).join(", ")})`;
}

export function isLive(state: OrderState): boolean {
  return LIVE_STATES.includes(state);
}

export function stateAfter(event: OrderEvent): OrderState {
  return LEADS_TO[event];
}

/** Where a move may start: no other one is written. */
export function statesThatAccept(event: OrderEvent): OrderState[] {
  return ORDER_STATES.filter((state) => ACCEPTS[state].includes(event));
}
