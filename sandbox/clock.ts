/** A clock that tests can put forward; what is due then happens at once. */
export type Clock = {
  now(): Date;
  after(ms: number, run: () => Promise<void> | void): void;
  /** Resolves when everything that fell due on the way has ended. */
  advance(ms: number): Promise<void>;
  /** Drops what was planned. */
  clear(): void;
};

type Task = { at: number; run: () => Promise<void> | void };

const LONGEST_TIMER = 60_000;

export function createClock(): Clock {
  let offset = 0;
  let timer: NodeJS.Timeout | undefined;
  let tasks: Task[] = [];
  const running = new Set<Promise<void>>();
  const now = () => Date.now() + offset;

  function wake(): void {
    clearTimeout(timer);
    const [next] = tasks;
    if (next) timer = setTimeout(startDue, Math.min(Math.max(0, next.at - now()), LONGEST_TIMER)).unref();
  }
  function startDue(): void {
    const time = now();
    const due = tasks.filter(({ at }) => at <= time);
    tasks = tasks.slice(due.length);
    for (const { run } of due) {
      const work = Promise.resolve(run()).finally(() => running.delete(work));
      running.add(work);
    }
    wake();
  }
  async function allEnded(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }
  return {
    now: () => new Date(now()),
    after(ms, run) {
      const at = now() + ms;
      tasks.splice(tasks.findLastIndex((task) => task.at <= at) + 1, 0, { at, run });
      wake();
    },
    async advance(ms) {
      const target = now() + ms;
      await allEnded();
      // From task to task, so that what a task plans within the span happens in it too.
      for (let [next] = tasks; next && next.at <= target; [next] = tasks) {
        offset += Math.max(0, next.at - now());
        startDue();
        await allEnded();
      }
      offset += Math.max(0, target - now());
    },
    clear() {
      clearTimeout(timer);
      tasks = [];
    },
  };
}
