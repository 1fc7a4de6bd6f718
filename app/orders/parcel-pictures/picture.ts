/** The most photographs that an order's parcel may have. */
export const MOST_PARCEL_PICTURES = 3;
