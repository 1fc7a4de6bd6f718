/** The turns that begin in a minute, until the owner chooses another pace. */
export const PACE = 60;
export const MOST_PACE = 6000;
