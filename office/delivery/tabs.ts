import type { RateKind } from "#app/owner/delivery/rates.ts";

/** What each kind of place is called on its tab. */
export const KIND_TITLES: Record<RateKind, string> = {
  state: "States of Nigeria",
  pickup: "Pick-up centres",
  country: "Countries",
};
