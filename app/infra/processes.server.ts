import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { killedText } from "./killed-text.ts";
import { log } from "./log.server.ts";

/** The message that a web process sends when it accepts requests. */
const OPEN = "open";

/**
 * Starts `count` web processes behind one port; a process that dies is replaced, unless the shop is stopping. Returns a
 * function that ends them.
 */
export async function openProcesses(
  count: number,
  settings: Record<string, string>,
  isStopping: () => boolean,
): Promise<() => Promise<void>> {
  async function fork(): Promise<void> {
    const worker = cluster.fork(settings);
    worker.on("error", (error) => log.error({ err: error }, "a web process cannot be told anything"));
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (message) => message === OPEN && resolve());
      worker.once("exit", (code) => reject(new Error(`A web process ended with ${code} before it was open`)));
    });
    worker.removeAllListeners("exit");
    worker.once("exit", (code, signal) => {
      if (isStopping()) return; // as by a terminal's Ctrl-C, which ends every process at once
      log.error({ code, signal }, `a web process died and is replaced${killedText(signal)}`);
      void replace();
    });
  }
  async function replace(): Promise<void> {
    while (!isStopping()) {
      try {
        return await fork();
      } catch (error) {
        log.error({ err: error }, "a web process cannot be opened");
        await sleep(SECOND);
      }
    }
  }

  try {
    await Promise.all(Array.from({ length: count }, fork));
  } catch (error) {
    await Promise.all(runningProcesses().map(ended)); // their connections would keep the database running
    throw error;
  }
  return async () => {
    await Promise.all(runningProcesses().map(ended));
  };
}

/** The web processes that this process has started and that have not ended. */
export function runningProcesses(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}

/** Whether this is one of several web processes, which another process has started. */
export const isWebProcess = cluster.isWorker;

/** Tells the parent process that this web process accepts requests. */
export function sayOpen(): void {
  process.send?.(OPEN);
}
