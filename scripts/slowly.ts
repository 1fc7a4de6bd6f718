import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Microseconds. A short one: with longer ones a process runs at full speed, and then stands still for a while. */
const PERIOD = 20_000;

/**
 * Leaves this process, and whatever it starts, this share of the machine's processor time, to show what a slow machine
 * does to tests: by a control group where this user may make one, else by processes beside it that compute. Returns
 * which of the two.
 */
export function slowDown(share: number): string {
  return slowedByGroup(share) ? "a control group" : slowedByLoad(share);
}

function slowedByGroup(share: number): boolean {
  const quota = Math.round(share * os.availableParallelism() * PERIOD);
  const [v1, v2] = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"];
  const root = existsSync(path.join(v1, "cgroup.procs")) ? v1 : v2;
  const group = path.join(root, `irepo-tests-${process.pid}`);
  const write = (folder: string, file: string, value: string) => writeFileSync(path.join(folder, file), value);
  try {
    mkdirSync(group);
    if (root === v1) {
      write(group, "cpu.cfs_period_us", String(PERIOD));
      write(group, "cpu.cfs_quota_us", String(quota));
    } else write(group, "cpu.max", `${quota} ${PERIOD}`);
    write(group, "cgroup.procs", String(process.pid));
  } catch {
    if (existsSync(group)) rmdirSync(group);
    return false;
  }
  process.once("exit", () => {
    write(root, "cgroup.procs", String(process.pid));
    rmdirSync(group);
  });
  return true;
}

/** Where the tests want all processors, each process beside them takes as much as one of theirs. */
function slowedByLoad(share: number): string {
  const count = Math.max(1, Math.round(os.availableParallelism() * (1 / share - 1)));
  const compute = "const parent = process.ppid; while (process.ppid === parent) for (let at = 0; at < 1e8; at++);";
  const load = Array.from({ length: count }, () => spawn(process.execPath, ["-e", compute], { stdio: "ignore" }));
  process.once("exit", () => {
    for (const one of load) one.kill("SIGKILL");
  });
  return `${count} processes beside it`;
}
