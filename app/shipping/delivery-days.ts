/** How many business days things take, at least and at most. */
export const DELIVERY_DAYS = { processing: [2, 3], nigeria: [3, 7], abroad: [7, 14] } as const;
