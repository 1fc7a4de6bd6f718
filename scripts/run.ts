import { spawn } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type Ended = { code: number | null; signal: NodeJS.Signals | null; isTimedOut: boolean };

/**
 * Runs a program with this process's output, and waits for its end. Signals to this process go on to the program, so
 * that it does not outlive the command. `timeout` in ms. A program that cannot be started is told, and ends with 1.
 */
export function run(
  command: string,
  words: readonly string[],
  { settings = {}, timeout }: { settings?: Record<string, string>; timeout?: number } = {},
): Promise<Ended> {
  const child = spawn(command, words, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...settings },
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  let isTimedOut = false;
  const timers: NodeJS.Timeout[] = [];
  if (timeout !== undefined) {
    const end = (signal: NodeJS.Signals) => () => {
      isTimedOut = true;
      child.kill(signal);
    };
    timers.push(setTimeout(end("SIGTERM"), timeout), setTimeout(end("SIGKILL"), timeout + KILLED_AFTER));
  }
  return new Promise<Ended>((resolve) => {
    child.on("error", (error) => {
      process.stderr.write(`${command}: ${error.message}\n`);
      resolve({ code: 1, signal: null, isTimedOut });
    });
    child.on("exit", (code, signal) => resolve({ code, signal, isTimedOut }));
  }).finally(() => {
    for (const timer of timers) clearTimeout(timer);
    for (const signal of SIGNALS) process.off(signal, pass);
  });
}

const KILLED_AFTER = 30_000; // ms after SIGTERM
