import { DAY } from "#app/infra/durations.ts";

/** The time from the sign-in to the end of the session, in ms, whether it is used or not. */
export const SESSION_LIFETIME = 30 * DAY;
/** The time without use after which a session ends, in ms. */
export const SESSION_IDLE_LIFETIME = 14 * DAY;
