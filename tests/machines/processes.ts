import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Account } from "#app/infra/database/embedded/binaries.server.ts";

export type Process = {
  pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<unknown>;
  kill(): Promise<void>;
};
export type ProcessSettings = { logFile: string; env?: Record<string, string>; account?: Account };

/** Starts a program, as the user `account` if given. Its output is appended to `logFile`. */
export function startProcess(
  program: string,
  args: string[],
  { logFile, env = {}, account }: ProcessSettings,
): Process {
  const log = openSync(logFile, "a");
  const child = spawn(program, args, {
    ...account,
    cwd: "/",
    env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8", ...env },
    stdio: ["ignore", log, log],
  });
  const ended = once(child, "exit");
  return {
    pid: child.pid ?? 0,
    signal: (signal) => child.kill(signal),
    ended,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * Asks until the answer is neither undefined nor false. After `within` ms, throws an error with the end of `logFile`.
 */
export async function untilAnswered<T>(
  ask: () => Promise<T | undefined | false>,
  what: string,
  { within = 60_000, logFile = "" } = {},
): Promise<T> {
  for (const until = Date.now() + within; Date.now() < until; await pause(100)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
  }
  const log = existsSync(logFile) ? readFileSync(logFile, "utf8").split("\n").slice(-30).join("\n") : "";
  throw new Error(`Not within ${within / 1000} s: ${what}\n${log}`);
}

/** The status of an address, or undefined if there is no answer within so many ms. */
export async function statusOf(url: string, within = 1000): Promise<number | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(within) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return; // refused, broken off or without an answer
  }
}
