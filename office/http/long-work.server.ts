import { randomUUID } from "node:crypto";
import { HOUR } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";

/**
 * Work that goes on when its page is left. It must be safe to start again, as the process may end before it is done. `rows`: what there was to tell of
 * those that are done. `result` is what it came to, unless it failed.
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

/** Says how far it is, with the row if there is something to tell of it. */
export type OnProgress<Row> = (done: number, all: number, row?: Row) => void;

type Kept = {
  /** After it is done. */
  for?: number;
  /** Of the finished ones of each person; of everybody's, five times as many. */
  most?: number;
};
const PEOPLE = 5;

/** Work of one kind, visible to whoever started it. */
export function longWorks<Row, Result = void>({ for: keptFor = HOUR, most = Infinity }: Kept = {}) {
  type Owned = LongWork<Row, Result> & { owner: string; asked?: number };
  const works = new Map<string, Owned>();
  const timers = new Map<string, NodeJS.Timeout>();

  /** Its timer, too, which would keep it in memory until then. */
  function forget(id: string): void {
    clearTimeout(timers.get(id));
    timers.delete(id);
    works.delete(id);
  }
  return {
    /** Resolves when it is done, at the latest after `patience` milliseconds, with its id. `asked`: what tells it from others of its kind. */
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
    /** The id of what they have begun with the same `asked` and is not done. */
    underWay(owner: string, asked: number): string | undefined {
      return [...works.values()].find((work) => work.owner === owner && work.asked === asked && !work.isDone)?.id;
    },
    /** All that they have begun and is still known, the newest first. */
    of(owner: string): LongWork<Row, Result>[] {
      return [...works.values()].filter((work) => work.owner === owner).reverse();
    },
    find(owner: string, id: string): LongWork<Row, Result> | undefined {
      const work = works.get(id);
      return work?.owner === owner ? work : undefined;
    },
  };
}

/** All but the newest `kept`. */
function oldest<One>(ones: One[], kept: number): One[] {
  return ones.slice(0, Math.max(0, ones.length - kept));
}
