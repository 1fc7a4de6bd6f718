export const DAY = 24 * 60 * 60; // seconds
/** From the sign-in, however often it is used; in seconds. */
export const SESSION_LIFETIME = 30 * DAY;
/** Without being used; in seconds. */
export const SESSION_IDLE_LIFETIME = 14 * DAY;
