/** The most lines of an order that staff put together in the office. */
export const MOST_LINES = 50;
