/** A clock that tests can put forward; what is due then runs at once, in its order. */
export type Clock = {
  now(): Date;
  after(ms: number, run: () => Promise<void> | void): void;
  advance(ms: number): Promise<void>;
  stop(): void;
};

type Task = { at: number; run: () => Promise<void> | void };

const LONGEST_TIMER = 60_000;

export function createClock(): Clock {
  let offset = 0;
  let timer: NodeJS.Timeout | undefined;
  let tasks: Task[] = [];
  const now = () => Date.now() + offset;

  function wake(): void {
    clearTimeout(timer);
    const next = tasks[0];
    if (next) timer = setTimeout(runDue, Math.min(Math.max(0, next.at - now()), LONGEST_TIMER)).unref();
  }
  async function runDue(): Promise<void> {
    while (tasks[0] && tasks[0].at <= now()) await tasks.shift()?.run();
    wake();
  }
  return {
    now: () => new Date(now()),
    after(ms, run) {
      tasks.push({ at: now() + ms, run });
      tasks.sort((a, b) => a.at - b.at);
      wake();
    },
    async advance(ms) {
      const target = now() + ms;
      // Step from task to task, so that what a task plans within the span runs in it too.
      while (tasks[0] && tasks[0].at <= target) {
        offset += Math.max(0, tasks[0].at - now());
        await runDue();
      }
      offset += Math.max(0, target - now());
    },
    stop() {
      clearTimeout(timer);
      tasks = [];
    },
  };
}
