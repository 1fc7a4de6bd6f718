/** The most lines of an order that staff put together in the office. */
export const MOST_LINES = 50;
/** The longest reason for an agreed price, in letters. */
export const LONGEST_REASON = 200;
