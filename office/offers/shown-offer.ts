import type { OfferPreview } from "#app/owner/offers/preview.server.ts";

/** What an offer does, before it is saved. `isSalePrice`: a sale price of all these products does the same. */
export type ShownOffer = { sentence: string; isSalePrice: boolean; preview: OfferPreview };
