import { randomUUID } from "node:crypto";
import { HOUR } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";

/** Work that may take longer than anybody waits, and goes on when they leave. It is safe to begin anew: should the process end before, it is. */
export type LongWork<Row> = { id: string; all: number; rows: Row[]; isDone: boolean; failed: boolean };

const KEPT = HOUR;

/** Works of one kind, each seen by whoever began it. */
export function longWorks<Row>() {
  const works = new Map<string, LongWork<Row> & { owner: string }>();
  return {
    /** Resolves when it is done, at the latest after `patience` milliseconds, with its id. */
    async begin(
      owner: string,
      run: (onEach: (row: Row, all: number) => void) => Promise<void>,
      patience = 1000,
    ): Promise<string> {
      const work = { id: randomUUID(), owner, all: 0, rows: [] as Row[], isDone: false, failed: false };
      works.set(work.id, work);
      const running = run((row, all) => {
        work.rows.push(row);
        work.all = all;
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
    find(owner: string, id: string): LongWork<Row> | undefined {
      const work = works.get(id);
      return work?.owner === owner ? work : undefined;
    },
  };
}
