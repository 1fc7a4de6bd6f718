import type { Welcome } from "#app/account/welcome.ts";

/** How a sign-in by Google ended, as the popup tells the page that opened it. */
export type GoogleOutcome = ({ ok: true } & Welcome) | { ok: false; why: "cancelled" | "failed" };

/** The popup's name, and the channel on which it tells its end. */
export const GOOGLE_POPUP = "irepo-google";
