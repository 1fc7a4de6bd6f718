/** The kinds of rows in a preview, most urgent first. */
export const SHOWN = ["wrong", "left", "changed", "new", "stock", "same"] as const;
export type Shown = (typeof SHOWN)[number];
