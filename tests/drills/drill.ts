import { MINUTE, SECOND } from "#app/infra/durations.ts";

export type Drill = ReturnType<typeof newDrill>;

/** Prints a drill as it runs: each step with its seconds, each part of its goal with the result. */
export function newDrill() {
  let isMet = true;
  let ended: Promise<void> | undefined;
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const endAll = async () => {
    for (const end of undo.reverse()) await end();
  };
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  return {
    say: (line: string) => say(`${" ".repeat(10)}${line}`),
    /** Times `work` and resolves to its result. */
    async step<T>(what: string, work: () => Promise<T>): Promise<T> {
      const begun = performance.now();
      const done = await work();
      say(`${inTime(performance.now() - begun).padStart(8)}  ${what}`);
      return done;
    },
    /** Checks a part of the goal. `seen` is the measured result. */
    goal(what: string, met: boolean, seen = ""): void {
      isMet &&= met;
      say(`${met ? "met" : "MISSED"}: ${what}${seen && ` (${seen})`}`);
    },
    isMet: () => isMet,
    /** Registers how to end something that the drill has started. What was started last is ended first. */
    afterwards: (end: () => Promise<unknown> | unknown) => void undo.push(end),
    /** Ends everything, but only once, even if a signal arrives meanwhile. */
    end: () => (ended ??= endAll()),
  };
}

/** A duration in ms as `12.3 s` or `4.5 min`. */
export function inTime(ms: number): string {
  return ms < 2 * MINUTE ? `${(ms / SECOND).toFixed(1)} s` : `${(ms / MINUTE).toFixed(1)} min`;
}

/** The last line of a run. A goal that was not tried does not count as met. */
export function summary({ tried, missed, skipped }: { tried: number; missed: number; skipped: string[] }): string {
  const met = tried > 0 ? "Every goal was met." : "Nothing was tried.";
  return [missed > 0 ? `Missed: ${missed}.` : met, ...skipped.map((one) => `Skipped: ${one}.`)].join(" ");
}
