import type { OfferPreview } from "#app/owner/offers/preview.server.ts";

/** The preview of an offer. `isSalePrice`: whether a sale price could replace the offer. */
export type ShownOffer = { sentence: string; isSalePrice: boolean; preview: OfferPreview };
