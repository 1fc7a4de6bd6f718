/** In days; the last one is 52 weeks. */
export const GROWTH_SPANS = [30, 90, 364] as const;
export type GrowthSpan = (typeof GROWTH_SPANS)[number];

/** How many of today's subscribers came in the last days, in the same time before, and in each part of it: a day, or of a year a week. */
export type Growth = {
  all: number;
  added: number;
  addedBefore: number;
  /** Each by its first day, as 2026-01-31, with how many there were at its end. */
  parts: { day: string; added: number; all: number }[];
};
