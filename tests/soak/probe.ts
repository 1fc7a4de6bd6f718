import cluster from "node:cluster";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectGarbage } from "#tests/support/collect-garbage.ts";

// Loaded into each process of the shop before everything else (`node --import`): writes down every few seconds what the process uses. Unlike the shop's
// metrics it is in the office too, knows the whole life of a process, and what is left once the garbage is collected.

/** Bytes; the event loop's delay that 99 % of its turns stay under in ms, `p99` of the time since the last sample, `p99Ever` since the process began. */
export type Sample = {
  name: string;
  pid: number;
  /** ms since 1970, and since the process began. */
  at: number;
  age: number;
  rss: number;
  heap: number;
  p99: number;
  p99Ever: number;
  /** Heap in use right after a collection, where one was asked for. */
  live?: number;
};

export const SAMPLED_EVERY = 5000; // ms

/** Started alone, it is a process that does nothing: what that one is late by, the machine is. */
export const IDLE = "idle";

const { SOAK_FOLDER, SOAK_WARM } = process.env;
const NAMES: Record<string, string> = { "start.ts": "main", "office.ts": "office", "probe.ts": IDLE };
const name = NAMES[path.basename(process.argv[1] ?? "")];
if (name && SOAK_FOLDER) watch(SOAK_FOLDER, cluster.worker ? `web ${cluster.worker.id}` : name);

function watch(folder: string, name: string): void {
  const [recent, ever] = [monitorEventLoopDelay(), monitorEventLoopDelay()];
  recent.enable();
  ever.enable();

  function write(more: Partial<Sample> = {}): void {
    const { rss, heapUsed: heap } = process.memoryUsage();
    const [p99, p99Ever] = [recent, ever].map((one) => one.percentile(99) / 1e6) as [number, number];
    const age = performance.now();
    const sample: Sample = { name, pid: process.pid, at: Date.now(), age, rss, heap, p99, p99Ever, ...more };
    appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(sample)}\n`);
    recent.reset();
  }
  function writeLive(): void {
    write(); // what it took before
    collectGarbage();
    write({ live: process.memoryUsage().heapUsed });
  }
  setInterval(write, SAMPLED_EVERY);
  setTimeout(writeLive, Number(SOAK_WARM)).unref();
  process.on("SIGUSR2", writeLive);
}
