import cluster from "node:cluster";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectGarbage } from "#tests/support/collect-garbage.ts";

// Loaded into each process of the shop before anything else (`node --import`). Every few seconds it writes down what
// the process uses. Unlike the shop's metrics, it also covers the office, the whole life of a process, and the heap
// after a garbage collection.

/**
 * Memory is in bytes. `p99`, in ms, is the 99th percentile of the event loop's delay since the last sample, `p99Ever`
 * since the process began.
 */
export type Sample = {
  name: string;
  pid: number;
  /** ms since 1970; `age` is in ms since the process began. */
  at: number;
  age: number;
  rss: number;
  heap: number;
  p99: number;
  p99Ever: number;
  /** Heap in use right after a garbage collection, in samples for which one was made. */
  live?: number;
};

export const SAMPLED_EVERY = 5000; // ms

/** Started alone, this file is an idle process: its delays are those of the machine. */
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
    write(); // a sample before the collection
    collectGarbage();
    write({ live: process.memoryUsage().heapUsed });
  }
  setInterval(write, SAMPLED_EVERY);
  setTimeout(writeLive, Number(SOAK_WARM)).unref();
  process.on("SIGUSR2", writeLive);
}
