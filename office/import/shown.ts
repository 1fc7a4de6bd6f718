/** What can be looked at of a preview, the most urgent first. */
export const SHOWN = ["wrong", "changed", "new", "stock", "same"] as const;
export type Shown = (typeof SHOWN)[number];
