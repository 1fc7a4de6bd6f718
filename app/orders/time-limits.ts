import { DAY, HOUR, MINUTE } from "#app/infra/durations.ts";

/** How long an order's stock, prices and rate are kept, from the press on Pay. */
export const RESERVED_FOR = 15 * MINUTE;
/** A pending transfer extends the reservation, up to this time after the order was made. */
export const RESERVED_FOR_TRANSFER = 2 * HOUR;
/** How much longer stock is reserved if the provider cannot be asked about the payment. */
export const RESERVED_UNANSWERED = 15 * MINUTE;
/** How long after it was made a released order can still become a sale by a late payment. */
export const SOLD_LATE_WITHIN = DAY;
/** How long a shopper's own link for somebody else holds the order. */
export const HELD_FOR_PAYER = DAY;
/** How long a shopper's turn in a queue lasts: enough for an address and Pay. */
export const TURN_LASTS = 10 * MINUTE;
/** How long a turn lasts at least from when the provider could not open its payment. */
export const TURN_LASTS_AGAIN = 2 * MINUTE;
/** The period in which a shopper's lapsed orders are counted; of a held order, from the end of its hold. */
export const LAPSED_WITHIN = DAY;
/** The period in which links that ended unpaid are counted before a shopper may make another one. */
export const LAPSED_LINKS_WITHIN = 7 * DAY;
