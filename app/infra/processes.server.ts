import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { log } from "./log.server.ts";

/** What a web process says when it takes requests, and what it is told when another one has taken its place. */
const OPEN = "open";
const LEAVE = "leave";

/** Starts `count` web processes behind one port. One that dies is replaced; on SIGUSR2 all are, one after the other. Returns how to end them. */
export async function openProcesses(count: number, settings: Record<string, string>): Promise<() => Promise<void>> {
  let ending = false;
  /** Those that take requests. Who has died is no longer among them, nor who is to leave: another one opens in its place already. */
  const serving = new Set<Worker>();
  let replacing = Promise.resolve();
  /** Until each one that died has another in its place. */
  let replacingDead: Promise<unknown> = Promise.resolve();

  async function fork(): Promise<void> {
    const worker = cluster.fork(settings);
    worker.on("error", (error) => log.error({ err: error }, "a web process cannot be told anything"));
    await new Promise<void>((resolve, reject) => {
      worker.on("message", (message) => message === OPEN && resolve());
      worker.once("exit", (code) => reject(new Error(`A web process ended with ${code} before it was open`)));
    });
    serving.add(worker);
    worker.removeAllListeners("exit");
    worker.once("exit", (code, signal) => {
      if (ending || !serving.delete(worker)) return;
      log.error({ code, signal }, "a web process died and is replaced");
      replaceDead();
    });
  }
  function replaceDead(): void {
    replacingDead = Promise.all([replacingDead, untilDone(fork)]);
  }
  async function untilDone(work: () => Promise<void>): Promise<void> {
    while (!ending) {
      try {
        return await work();
      } catch (error) {
        log.error({ err: error }, "a web process cannot be opened");
        await sleep(SECOND);
      }
    }
  }
  async function replaceAll(): Promise<void> {
    await replacingDead;
    for (const old of [...serving]) {
      if (ending) return;
      if (serving.delete(old)) await replaceOne(old);
    }
    log.info("every web process is replaced");
  }
  /** When the new one does not open, the old one stays. */
  async function replaceOne(old: Worker): Promise<void> {
    try {
      await fork();
    } catch (error) {
      if (old.isDead()) replaceDead();
      else serving.add(old);
      throw error;
    }
    if (old.isConnected()) old.send(LEAVE);
  }
  function replace(): void {
    replacing = replacing.then(replaceAll).catch((error) => log.error({ err: error }, "the restart is given up"));
  }

  process.on("SIGUSR2", replace);
  await Promise.all(Array.from({ length: count }, fork));
  return async () => {
    ending = true;
    process.off("SIGUSR2", replace);
    await Promise.all(running().map(ended));
  };
}

function running(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    worker.once("exit", () => resolve());
    worker.process.kill("SIGTERM");
  });
}

/** Whether this is one of several web processes, which some other process has begun. */
export const isWebProcess = cluster.isWorker;

/** Says that this web process takes requests; `leave` is called when another one has taken its place. */
export function takePlace(leave: () => void): void {
  process.on("message", (message) => {
    if (message === LEAVE) leave();
  });
  process.send?.(OPEN);
}
