import { SECOND } from "#app/infra/durations.ts";

/** How long a step of a delivery can be taken back. A mail about the step waits until then. */
export const TAKE_BACK_FOR = 20 * SECOND;
