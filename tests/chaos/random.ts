export type Chances = {
  random(): number;
  between(least: number, most: number): number;
  /** True in so many of a hundred calls. */
  chance(percent: number): boolean;
};

/** mulberry32: the same seed gives the same incidents, though not at the same moments. */
export function seeded(seed: number): Chances {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    random,
    between: (least, most) => least + random() * (most - least),
    chance: (percent) => random() * 100 < percent,
  };
}
