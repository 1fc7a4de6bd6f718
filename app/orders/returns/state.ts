/** The states of a return or exchange, from the shopper's request to its end. */
export const RETURN_STATES = ["asked", "approved", "declined", "withdrawn", "received", "done"] as const;
export type ReturnState = (typeof RETURN_STATES)[number];

export type ReturnEvent =
  | "approve" // the owner agrees; an exchange reserves what is sent from now on
  | "decline" // the owner refuses, before or after the pieces have arrived
  | "withdraw" // the shopper cancels
  | "receive" // the pieces are back
  | "end"; // the money is refunded, or the exchange has been sent

/** The state after each event, whatever the state before. */
const LEADS_TO: Record<ReturnEvent, ReturnState> = {
  approve: "approved",
  decline: "declined",
  withdraw: "withdrawn",
  receive: "received",
  end: "done",
};

/**
 * The events that each state accepts. An approved return may end without "received" only if nothing must be sent back:
 * `refusal` in owner/returns/change.server.ts ensures that.
 */
const ACCEPTS: Record<ReturnState, readonly ReturnEvent[]> = {
  asked: ["approve", "decline", "withdraw"],
  approved: ["receive", "decline", "withdraw", "end"],
  declined: [],
  withdrawn: [],
  received: ["decline", "end"],
  done: [],
};

/**
 * The states in which a return's pieces can be neither returned again nor refunded in another way. The database
 * function check_pieces_back has the same list.
 */
export const LIVE_RETURNS: readonly ReturnState[] = ["asked", "approved", "received"];

/** The states in which an exchange reserves what is sent. */
const HOLDING: readonly ReturnState[] = ["approved", "received"];

/** A condition in SQL on the table `returns`: whether a return reserves stock. */
export const HOLDS_STOCK = `returns.wish = 'exchange' and returns.state in (${HOLDING.map((state) => `'${state}'`).join(", ")})`;

export function holdsStock({ wish, state }: { wish: "money" | "exchange"; state: ReturnState }): boolean {
  return wish === "exchange" && HOLDING.includes(state);
}

/** A condition in SQL: whether a return in this table is live. */
export function isLiveReturnSql(table: string): string {
  return `${table}.state in (${LIVE_RETURNS.map((state) => `'${state}'`).join(", ")})`;
}

export function acceptsReturnEvent(state: ReturnState, event: ReturnEvent): boolean {
  return ACCEPTS[state].includes(event);
}

export function returnStateAfter(event: ReturnEvent): ReturnState {
  return LEADS_TO[event];
}
