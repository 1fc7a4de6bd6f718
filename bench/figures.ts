import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import type { Figure } from "./measure.ts";

const RECORDED = "bench/figures.json";
const OUT = "bench/out";

/** Figures by part. `on`: the machine, and its load before the run. */
export type Recorded = Record<string, { on: string; figures: Figure[] }>;

export const busyness = () => `${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)} before`;

/** Writes the results to a file outside git and, with `isRecord`, also to the recorded figures. */
export function keep(results: Recorded, isRecord: boolean): void {
  mkdirSync(OUT, { recursive: true });
  writeFileSync(`${OUT}/figures.json`, text(results));
  if (isRecord) writeFileSync(RECORDED, text({ ...read(), ...results }));
}

function read(): Recorded {
  return existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, "utf8")) : {};
}

function text(results: Recorded): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}

/** Prints each figure beside the recorded one and its bar. */
export function print(part: string, figures: Figure[]): void {
  const before = read()[part]?.figures ?? [];
  process.stdout.write(`\n${part.padEnd(44)}${"now".padStart(14)}${"last".padStart(14)}${"bar".padStart(14)}\n`);
  for (const figure of figures) {
    const last = before.find(({ name }) => name === figure.name);
    const shown = (value: number | undefined) =>
      (value === undefined ? "" : `${value} ${figure.unit}`.trim()).padStart(14);
    process.stdout.write(
      `  ${figure.name.padEnd(42)}${shown(figure.value)}${shown(last?.value)}${bar(figure).padStart(14)}\n`,
    );
  }
}

/** Whether a figure reaches its bar. True if it has none. */
export function isMet({ value, bar }: Figure): boolean {
  return !bar || ("min" in bar ? value >= bar.min : value <= bar.max);
}

function bar(figure: Figure): string {
  const { bar } = figure;
  if (!bar) return "";
  return `${"min" in bar ? `>= ${bar.min}` : `<= ${bar.max}`} ${isMet(figure) ? "ok " : "OFF"}`;
}
