/** A mutant that no test kills: `from` is what stood there, `to` what took its place, why that is right, and how many in the file are so (one, unless said). */
export type Excuse = [from: string, to: string, why: string, times?: number];
export type Survivor = { line: number; from: string; to: string };

/** Of a file's survivors those that are not excused, as often as there are more than listed; and what is listed although no such mutant survives. */
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

/** Code as it is listed: on one line, at most 100 characters. */
export const short = (code: string) => code.replace(/\s+/g, " ").slice(0, 100);
