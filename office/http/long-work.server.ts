import { randomUUID } from "node:crypto";
import { HOUR } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";

/**
 * Work that goes on when its page is left. It must be safe to start again, as the process may end before it is done. `result` is what it came to,
 * unless it failed.
 */
export type LongWork<Row, Result = void> = {
  id: string;
  all: number;
  rows: Row[];
  isDone: boolean;
  endedAt?: Date;
  failed: boolean;
  result?: Result;
};

type Kept = {
  /** After it is done. */
  for?: number;
  /** Of the finished ones of each person. */
  most?: number;
};

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
      run: (onEach: (row: Row, all: number) => void) => Promise<Result>,
      { patience = 500, asked }: { patience?: number; asked?: number } = {},
    ): Promise<string> {
      const work: Owned = { id: randomUUID(), owner, asked, all: 0, rows: [], isDone: false, failed: false };
      const finished = [...works.values()].filter((one) => one.owner === owner && one.isDone);
      for (const one of finished.slice(0, Math.max(0, finished.length + 1 - most))) forget(one.id);
      works.set(work.id, work);
      const running = run((row, all) => {
        work.rows.push(row);
        work.all = all;
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
