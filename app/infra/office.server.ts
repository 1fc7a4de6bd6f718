import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "#app/infra/durations.ts";
import { killedText } from "./killed-text.ts";
import { log } from "./log.server.ts";

/** The message that the office's process sends when it accepts requests. */
export const OFFICE_OPEN = "open";

/**
 * Starts the back office as a process of its own, and restarts it when it dies, unless the shop is stopping. Resolves
 * when the office accepts requests; the returned function ends it.
 */
export async function openOffice(
  settings: Record<string, string>,
  isStopping: () => boolean,
): Promise<() => Promise<void>> {
  let office = await begin();

  async function begin(): Promise<ChildProcess> {
    const child = fork(path.resolve("scripts/office.ts"));
    child.send(settings);
    await new Promise<void>((resolve, reject) => {
      child.once("message", () => resolve());
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`The back office did not open (exit ${code})`)));
    });
    child.removeAllListeners("exit");
    child.once("exit", (code, signal) => {
      if (isStopping()) return; // as by a terminal's Ctrl-C, which ends every process at once
      log.error({ code, signal }, `the back office died and is opened again${killedText(signal)}`);
      void again();
    });
    return child;
  }
  async function again(): Promise<void> {
    while (!isStopping()) {
      await sleep(SECOND);
      try {
        office = await begin();
        return;
      } catch (error) {
        log.error({ err: error }, "the back office cannot be opened");
      }
    }
  }
  return async () => {
    if (office.exitCode !== null || office.signalCode !== null) return;
    await new Promise((resolve) => {
      office.once("exit", resolve);
      office.kill("SIGTERM");
    });
  };
}
