/**
 * A mutant that no test kills: the original code, its replacement, why the mutant is acceptable, and how many the file
 * has of it (one if not given).
 */
export type Excuse = [from: string, to: string, why: string, times?: number];
export type Survivor = { line: number; from: string; to: string };

/**
 * `open`: the survivors without an excuse; of equal ones, those beyond the listed number. `idle`: excuses for which no
 * mutant survives.
 */
export function judged<One extends Survivor>(
  survivors: One[],
  excuses: Excuse[] = [],
): { open: One[]; idle: { from: string; to: string; times: number }[] } {
  const left = excuses.map(([from, to, , times = 1]) => ({ from, to, times }));
  const open = survivors.filter((one) => {
    const excuse = left.find(({ from, to, times }) => times > 0 && from === one.from && to === one.to);
    if (excuse) excuse.times--;
    return !excuse;
  });
  return { open, idle: left.filter(({ times }) => times > 0) };
}

/** Code as excuses list it: on one line, at most 100 characters. */
export const short = (code: string) => code.replace(/\s+/g, " ").slice(0, 100);
