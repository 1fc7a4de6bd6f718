import { DAY, HOUR, MINUTE } from "#app/infra/durations.ts";

/** From the press on Pay: so long an order's stock, prices and rate are kept. */
export const RESERVED_FOR = 15 * MINUTE;
/** While a transfer is on its way the reservation is renewed, but not for longer than this after the order was begun. */
export const RESERVED_FOR_TRANSFER = 2 * HOUR;
/** How much longer stock is held while the provider cannot be asked whether it was paid. */
export const RESERVED_UNANSWERED = 15 * MINUTE;
/** A released order that is paid later than this after it was begun is not sold. */
export const SOLD_LATE_WITHIN = DAY;
/** In which orders of a shopper that lapsed count together. */
export const LAPSED_WITHIN = DAY;
