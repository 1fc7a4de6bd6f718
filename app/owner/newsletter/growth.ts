/** In days. 364 days are 52 weeks. */
export const GROWTH_SPANS = [30, 90, 364] as const;
export type GrowthSpan = (typeof GROWTH_SPANS)[number];

/**
 * The growth of the newsletter: how many of the current subscribers joined in the last days, in as many days before,
 * and in each part of the time, a day or (in the span of a year) a week.
 */
export type Growth = {
  all: number;
  added: number;
  addedBefore: number;
  /** Each part by its first day (such as 2026-01-31), with the total at its end. */
  parts: { day: string; added: number; all: number }[];
};
