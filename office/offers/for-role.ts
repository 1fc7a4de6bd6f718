import type { OfferRow } from "#app/owner/offers/offers.server.ts";
import { type Granted, may } from "#app/staff/roles.ts";

/** The offer without its code for roles that may not change offers, since whoever knows a code can use it. */
export function offerFor(role: Granted, offer: OfferRow): OfferRow {
  return may(role, "offers") ? offer : { ...offer, code: null };
}
