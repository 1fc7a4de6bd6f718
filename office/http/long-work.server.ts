import { randomUUID } from "node:crypto";
import { HOUR } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";

/**
 * Work that may take longer than anybody waits, and goes on when they leave. It is safe to begin anew: should the process end before, it is. `result` is what
 * it came to, unless it failed.
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

/** Works of one kind, each seen by whoever began it; `isLarge`: of what is done only the last one is kept for each of them. */
export function longWorks<Row, Result = void>({ isLarge = false } = {}) {
  const works = new Map<string, LongWork<Row, Result> & { owner: string }>();
  return {
    /** Resolves when it is done, at the latest after `patience` milliseconds, with its id. */
    async begin(
      owner: string,
      run: (onEach: (row: Row, all: number) => void) => Promise<Result>,
      patience = 1000,
    ): Promise<string> {
      const work: LongWork<Row, Result> & { owner: string } = {
        id: randomUUID(),
        owner,
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
    find(owner: string, id: string): LongWork<Row, Result> | undefined {
      const work = works.get(id);
      return work?.owner === owner ? work : undefined;
    },
  };
}
