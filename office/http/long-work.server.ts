import { randomUUID } from "node:crypto";
import { HOUR } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";

/**
 * A task that continues after its page is left. It must be safe to start again, as the process may end before the task
 * does. `rows` are messages about the parts done so far; `result` is set unless the task failed.
 */
export type LongWork<Row, Result = void> = {
  id: string;
  done: number;
  all: number;
  rows: Row[];
  isDone: boolean;
  endedAt?: Date;
  failed: boolean;
  result?: Result;
};

/** Reports the progress, with a row if there is something to show about this part. */
export type OnProgress<Row> = (done: number, all: number, row?: Row) => void;

type Kept = {
  /** How long a finished task is kept, in ms. */
  for?: number;
  /** The most finished tasks kept per person; in total, five times as many. */
  most?: number;
};
const PEOPLE = 5;

/** Tasks of one kind. Each is visible only to the person who started it. */
export function longWorks<Row, Result = void>({ for: keptFor = HOUR, most = Infinity }: Kept = {}) {
  type Owned = LongWork<Row, Result> & { owner: string; asked?: number };
  const works = new Map<string, Owned>();
  const timers = new Map<string, NodeJS.Timeout>();

  /** Clears the timer, too, which would otherwise keep the task in memory. */
  function forget(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    works.delete(id);
  }
  return {
    /**
     * Starts a task. Resolves with its id when it is done, or after `patience` ms. `asked` distinguishes tasks of the
     * same kind.
     */
    async begin(
      owner: string,
      run: (onProgress: OnProgress<Row>) => Promise<Result>,
      { patience = 500, asked }: { patience?: number; asked?: number } = {},
    ): Promise<string> {
      const work: Owned = { id: randomUUID(), owner, asked, done: 0, all: 0, rows: [], isDone: false, failed: false };
      const finished = [...works.values()].filter(({ isDone }) => isDone);
      const own = finished.filter((one) => one.owner === owner);
      for (const { id } of [...oldest(own, most - 1), ...oldest(finished, PEOPLE * most - 1)]) forget(id);
      works.set(work.id, work);
      const running = run((done, all, row) => {
        Object.assign(work, { done, all });
        if (row !== undefined) work.rows.push(row);
      })
        .then((result) => {
          work.result = result;
        })
        .catch((error) => {
          log.error({ err: error }, "long work failed");
          work.failed = true;
        })
        .finally(() => {
          work.isDone = true;
          work.endedAt = new Date();
          timers.set(work.id, setTimeout(() => forget(work.id), keptFor).unref());
        });
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, patience).unref())]);
      return work.id;
    },
    /** The id of this person's running task with the same `asked`. */
    underWay(owner: string, asked: number): string | undefined {
      return [...works.values()].find((work) => work.owner === owner && work.asked === asked && !work.isDone)?.id;
    },
    /** All tasks of this person that are still kept, newest first. */
    of(owner: string): LongWork<Row, Result>[] {
      return [...works.values()].filter((work) => work.owner === owner).reverse();
    },
    find(owner: string, id: string): LongWork<Row, Result> | undefined {
      const work = works.get(id);
      return work?.owner === owner ? work : undefined;
    },
  };
}

/** All items except the newest `kept` ones. */
function oldest<One>(ones: One[], kept: number): One[] {
  return ones.slice(0, Math.max(0, ones.length - kept));
}
