import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { type Comparison, comparisons } from "./comparisons.ts";
import { busyness } from "./figures.ts";
import { type BenchShop, openShop, picturesMade } from "./shop.ts";

const ROUNDS = 5;

/**
 * Compares this working tree with another revision. Both are built, run side by side and are measured in turns:
 * npm run bench -- against REV [PART ...]
 * Each row ends with the ratio of the two: the median of the rounds and its spread. Above 1, this working tree is
 * better. The revision must have the tables of 0001-schema.sql, since shoppers are written straight into them.
 */
export async function against([revision = "", ...parts]: string[]): Promise<number> {
  const commit = commitOf(revision);
  const wanted = comparisons.filter(({ part }) => parts.length === 0 || parts.includes(part));
  if (!commit || wanted.length === 0) {
    const problem = commit ? `There is no part ${parts.join(", ")}.` : `git knows no revision "${revision}".`;
    const known = [...new Set(comparisons.map(({ part }) => part))].join(" ");
    process.stderr.write(`${problem} npm run bench -- against REV [${known}]\n`);
    return 2;
  }
  const before = checkoutOf(commit);
  process.stdout.write(`${busyness()}; ${ROUNDS} rounds in alternation with ${revision} (${commit.slice(0, 8)})\n`);
  await withBoth(before, async (shops) => {
    for (const comparison of wanted) print(await compared(comparison, shops), revision);
  });
  return 0;
}

type Pair = { now: BenchShop; before: BenchShop };
type Row = { name: string; unit: string; isMoreBetter: boolean; now: number[]; before: number[] };

async function compared(comparison: Comparison, shops: Pair): Promise<Row[]> {
  const rows = new Map<string, Row>();
  const sides = ["now", "before"] as const;
  for (const side of sides) await comparison.warmUp?.(shops[side]);
  for (let round = 0; round < (comparison.once ? 1 : ROUNDS); round++)
    for (const side of round % 2 ? sides.toReversed() : sides)
      for (const { name, unit, value, isMoreBetter = false } of await comparison.measure(shops[side])) {
        const row = rows.get(name) ?? { name, unit, isMoreBetter, now: [], before: [] };
        row[side].push(value);
        rows.set(name, row);
      }
  return [...rows.values()];
}

function print(rows: Row[], revision: string): void {
  const cell = (text: string | number) => String(text).padStart(12);
  process.stdout.write(`\n${"".padEnd(44)}${cell("now")}${cell(revision.slice(0, 11))}   ratio (spread)\n`);
  for (const { name, unit, isMoreBetter, now, before } of rows) {
    const ratios = now.map((value, at) => (isMoreBetter ? value / (before[at] ?? 0) : (before[at] ?? 0) / value));
    const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2));
    const spread = ratios.length > 1 ? ` (${low} to ${high})` : "";
    const figures = [now, before].map((values) => cell(`${short(middle(values))} ${unit}`));
    process.stdout.write(`  ${name.padEnd(42)}${figures.join("")}   ${middle(ratios).toFixed(2)}${spread}\n`);
  }
}

const short = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function commitOf(revision: string): string | undefined {
  try {
    const asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    return execFileSync("git", asked, { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}

/** A checkout of the revision with its own packages, kept for the next comparison. */
function checkoutOf(commit: string): string {
  const folder = path.join(tmpdir(), "irepo-against", commit.slice(0, 12));
  const quiet = { stdio: ["ignore", 2, 2] as ["ignore", number, number] };
  if (!existsSync(folder)) {
    execFileSync("git", ["worktree", "prune"]);
    execFileSync("git", ["worktree", "add", "--quiet", "--detach", folder, commit], quiet);
  }
  if (!existsSync(path.join(folder, "node_modules/.package-lock.json")))
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, ...quiet });
  return folder;
}

/**
 * Opens both shops with the same settings, each with its own database, sandbox and pictures, for the length of `work`.
 */
async function withBoth(before: string, work: (shops: Pair) => Promise<void>): Promise<void> {
  const settings = { TRUSTED_PROXIES: "127.0.0.1", WEB_CONCURRENCY: String(cpus().length), METRICS_PORT: "" };
  const open: Awaited<ReturnType<typeof openShop>>[] = [];
  try {
    for (const checkout of [process.cwd(), before]) open.push(await openShop(settings, checkout));
    for (const { sql } of open) await picturesMade(sql); // takes minutes of processor time at the first comparison
    const [now, other] = open;
    if (now && other) await work({ now, before: other });
  } finally {
    for (const shop of open) await shop.close();
  }
}
