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
  failed: boolean;
  result?: Result;
};

const KEPT = HOUR;

/** Work of one kind, visible to whoever started it; `isLarge`: only the last finished one of each person is kept. */
export function longWorks<Row, Result = void>({ isLarge = false } = {}) {
  type Owned = LongWork<Row, Result> & { owner: string; asked?: number };
  const works = new Map<string, Owned>();
  return {
    /** Resolves when it is done, at the latest after `patience` milliseconds, with its id. `asked`: what tells it from others of its kind. */
    async begin(
      owner: string,
      run: (onEach: (row: Row, all: number) => void) => Promise<Result>,
      { patience = 500, asked }: { patience?: number; asked?: number } = {},
    ): Promise<string> {
      const work: Owned = {
        id: randomUUID(),
        owner,
        asked,
        all: 0,
        rows: [],
        isDone: false,
        failed: false,
      };
      if (isLarge) for (const one of works.values()) if (one.owner === owner && one.isDone) works.delete(one.id);
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
          setTimeout(() => works.delete(work.id), KEPT).unref();
        });
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, patience).unref())]);
      return work.id;
    },
    /** The id of what they have begun with the same `asked` and is not done. */
    underWay(owner: string, asked: number): string | undefined {
      return [...works.values()].find((work) => work.owner === owner && work.asked === asked && !work.isDone)?.id;
    },
    find(owner: string, id: string): LongWork<Row, Result> | undefined {
      const work = works.get(id);
      return work?.owner === owner ? work : undefined;
    },
  };
}
