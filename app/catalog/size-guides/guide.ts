import type { MeasuredSize, SizeMeasure } from "#db/types.ts";

/**
 * A size guide of the owner's, as a product's page shows it. Each size has a value in cm for each measure, in the same
 * order. `falls`: a line on how the piece falls; may be empty.
 */
export type SizeGuideTable = { falls: string; measures: SizeMeasure[]; sizes: MeasuredSize[] };

/** Centimetres as inches to the nearest half, such as "19.5". */
export const inches = (cm: number) => (Math.round((cm / 2.54) * 2) / 2).toFixed(1);
