import { setTimeout as pause } from "node:timers/promises";

/** The longest that anything may take, in ms. */
export const SLOW = 1000;
/** The longest that a test with the usual number of cases may take, in ms. A longer run has no limit. */
export const WITHIN = process.env.FUZZ_CASES ? 0 : 600_000;
const FAR_TOO_LONG = 3 * SLOW;
const OWN_WORK = 500; // ms of processor time
const TRIES = 3;
/**
 * The factor by which slow work may be delayed more than trivial work: the latter is delayed less, and only now and
 * then.
 */
const SLACK = 5;
const LOOK_EVERY = 25; // ms

/**
 * Whether slow work is slow by itself. On a busy machine everything is slow, so the work is repeated alone. It must be
 * slow each time: by its own processor time, by far, or while something trivial beside it is quick. The trivial thing
 * must need nothing that `work` may hold, such as a lock.
 */
export async function isSlowAgain(work: () => Promise<unknown>, trivial: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = process.cpuUsage();
    const beside = watch(trivial);
    const startedAt = performance.now();
    await work();
    const ms = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(before);
    const excused = SLOW + SLACK * (await beside.end());
    const isOwn = (user + system) / 1000 > OWN_WORK || ms > Math.min(excused, FAR_TOO_LONG);
    if (ms <= SLOW || !isOwn) return false;
  }
  return true;
}

/** Repeats `trivial`. `end` stops that and returns the longest time, in ms. */
function watch(trivial: () => Promise<unknown>): { end(): Promise<number> } {
  let slowest = 0;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await pause(LOOK_EVERY)) {
      const startedAt = performance.now();
      await trivial();
      slowest = Math.max(slowest, performance.now() - startedAt);
    }
    return slowest;
  })();
  return {
    end() {
      isOver = true;
      return watching;
    },
  };
}
