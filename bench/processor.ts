import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Figure, round } from "./measure.ts";
import type { BenchShop } from "./shop.ts";

/** Milliseconds of processor time, user and system, that the shop's own processes and its database have had. */
export type ProcessorTime = { shop: number; database: number };

const TICK = 10; // ms: Linux counts in hundredths of a second

/**
 * Runs `work` and measures its processor time, on a shared machine steadier than wall-clock time. Excludes the payment
 * sandbox.
 */
export async function processorTime<T>(
  shop: BenchShop,
  work: () => Promise<T>,
): Promise<{ result: T; time: ProcessorTime }> {
  const before = soFar(shop);
  const result = await work();
  const after = soFar(shop);
  return { result, time: { shop: after.shop - before.shop, database: after.database - before.database } };
}

/** The processor time of one of `count` equal pieces of work. */
export function each(name: string, { shop, database }: ProcessorTime, count: number): Figure[] {
  return [
    { name: `${name}: processor time of the shop`, value: round(shop / count), unit: "ms" },
    { name: `${name}: processor time of the database`, value: round(database / count), unit: "ms" },
  ];
}

function soFar(shop: BenchShop): ProcessorTime {
  const { own, database } = processesOf(shop);
  return { shop: total(own), database: total(database) };
}

/** The running processes of a shop, without the payment sandbox, and those of its embedded database. */
export function processesOf({ pid, dataDir }: BenchShop): { own: Process[]; database: Process[] } {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
  const postmaster = Number(readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  const database = family(all, postmaster);
  const own = family(all, pid()).filter((one) => !database.includes(one) && !one.command.includes("sandbox/main"));
  return { own, database };
}

type Process = { pid: number; parent: number; ticks: number; command: string };

/** A process of /proc, or none if it has ended meanwhile. */
function readProcess(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The fields from the third on. The process name before them may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
    // The fields utime, stime, cutime and cstime; the last two are of ended children.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks, command }];
  } catch {
    return [];
  }
}

function family(all: Process[], root: number): Process[] {
  const members = all.filter(({ pid }) => pid === root);
  for (const { pid } of members) members.push(...all.filter(({ parent }) => parent === pid));
  return members;
}

const total = (processes: Process[]) => processes.reduce((sum, { ticks }) => sum + ticks, 0) * TICK;
