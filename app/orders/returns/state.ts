/** What may happen to a return or an exchange, from the shopper's request to its end. */
export const RETURN_STATES = ["asked", "approved", "declined", "withdrawn", "received", "done"] as const;
export type ReturnState = (typeof RETURN_STATES)[number];

export type ReturnEvent =
  | "approve" // the owner says yes; of an exchange the other size is held from now on
  | "decline" // the owner says no, before or after the pieces have come
  | "withdraw" // the shopper wants it no more
  | "receive" // the pieces are back
  | "end"; // the money goes back, or the other size has left

/** The state that an event leads to, whatever the state before. */
const LEADS_TO: Record<ReturnEvent, ReturnState> = {
  approve: "approved",
  decline: "declined",
  withdraw: "withdrawn",
  receive: "received",
  end: "done",
};

/** The events that each state accepts. An approved return ends without having come back only where nothing has to: the owner's `refusal` (owner/returns/change.server.ts) sees to that. */
const ACCEPTS: Record<ReturnState, readonly ReturnEvent[]> = {
  asked: ["approve", "decline", "withdraw"],
  approved: ["receive", "decline", "withdraw", "end"],
  declined: [],
  withdrawn: [],
  received: ["decline", "end"],
  done: [],
};

/** While live, a return's pieces can go back in no other way. The database's function check_pieces_back names the same. */
export const LIVE_RETURNS: readonly ReturnState[] = ["asked", "approved", "received"];

/** In these an exchange holds the other size. */
const HOLDING: readonly ReturnState[] = ["approved", "received"];

/** The returns that hold stock as a condition in SQL, on the table `returns`. */
export const HOLDS_STOCK = `returns.wish = 'exchange' and returns.state in (${HOLDING.map((state) => `'${state}'`).join(", ")})`;

export function holdsStock({ wish, state }: { wish: "money" | "exchange"; state: ReturnState }): boolean {
  return wish === "exchange" && HOLDING.includes(state);
}

/** The live states as a condition in SQL, on a table of this name. */
export function isLiveReturnIn(table: string): string {
  return `${table}.state in (${LIVE_RETURNS.map((state) => `'${state}'`).join(", ")})`;
}

export function acceptsReturnEvent(state: ReturnState, event: ReturnEvent): boolean {
  return ACCEPTS[state].includes(event);
}

export function returnStateAfter(event: ReturnEvent): ReturnState {
  return LEADS_TO[event];
}
