import type { RateKind } from "#app/owner/delivery/rates.ts";

/** The titles of the tabs, one for each kind of place. */
export const KIND_TITLES: Record<RateKind, string> = {
  state: "States of Nigeria",
  pickup: "Pick-up centres",
  country: "Countries",
};
