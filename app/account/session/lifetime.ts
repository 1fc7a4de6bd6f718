import { DAY } from "#app/infra/durations.ts";

/** From the sign-in, however often it is used. */
export const SESSION_LIFETIME = 30 * DAY;
/** Without being used. */
export const SESSION_IDLE_LIFETIME = 14 * DAY;
