import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { startProcess } from "./processes.ts";

export const HAPROXY = "/usr/sbin/haproxy";

/**
 * Starts haproxy with this configuration, which is written to `file`. Throws haproxy's own message if the configuration
 * is wrong.
 */
export function startHaproxy(file: string, configuration: string): { stop(): Promise<void> } {
  writeFileSync(file, configuration);
  const problem = haproxyProblem(file);
  if (problem) throw new Error(problem);
  const { kill } = startProcess(HAPROXY, ["-db", "-f", file], { logFile: `${file}.log` });
  return { stop: kill };
}

/** What haproxy finds wrong in a configuration, or undefined. */
export function haproxyProblem(file: string): string | undefined {
  const checked = spawnSync(HAPROXY, ["-c", "-f", file], { encoding: "utf8" });
  return checked.status === 0 ? undefined : checked.stderr;
}
