import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { cart } from "./cart.ts";
import { change } from "./change.ts";
import { checkout, reservations } from "./checkout.ts";
import { firstView } from "./first-view.ts";
import { growth } from "./growth.ts";
import { lighthouse } from "./lighthouse.ts";
import { live } from "./live.ts";
import { login } from "./login.ts";
import type { Figure } from "./measure.ts";
import { office } from "./office.ts";
import { officeTasks } from "./office-tasks.ts";
import { pages } from "./pages.ts";
import { render } from "./render.ts";
import { sales } from "./sales.ts";
import { tasks } from "./tasks.ts";

/** What is measured: npm run bench -- NAME ... runs some of it, --record keeps the figures. */
const parts: Record<string, () => Promise<Figure[]>> = {
  pages,
  change,
  render,
  cart,
  reservations,
  checkout,
  "first-view": firstView,
  lighthouse,
  tasks,
  growth,
  sales,
  office,
  "office-tasks": officeTasks,
  live,
  login,
};

const RECORDED = "bench/figures.json";
const OUT = "bench/out";

type Recorded = Record<string, { on: string; figures: Figure[] }>;

export async function bench(words: string[]): Promise<number> {
  const names = words.filter((word) => !word.startsWith("--"));
  const unknown = names.filter((name) => !(name in parts));
  if (unknown.length > 0) {
    process.stderr.write(`There is no part ${unknown.join(", ")}. There are: ${Object.keys(parts).join(" ")}\n`);
    return 2;
  }
  const recorded = read();
  const results: Recorded = {};
  for (const [name, part] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const on = `${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)} before`;
    results[name] = { on, figures: await part() };
    print(name, results[name].figures, recorded[name]?.figures ?? []);
  }
  mkdirSync(OUT, { recursive: true });
  writeFileSync(`${OUT}/figures.json`, text(results));
  if (words.includes("--record")) writeFileSync(RECORDED, text({ ...recorded, ...results }));
  return 0;
}

function read(): Recorded {
  return existsSync(RECORDED) ? JSON.parse(readFileSync(RECORDED, "utf8")) : {};
}

function text(results: Recorded): string {
  return `${JSON.stringify(results, null, 2)}\n`;
}

function print(part: string, figures: Figure[], before: Figure[]): void {
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

function bar({ value, bar }: Figure): string {
  if (!bar) return "";
  const [text, met] = "min" in bar ? [`>= ${bar.min}`, value >= bar.min] : [`<= ${bar.max}`, value <= bar.max];
  return `${text} ${met ? "ok " : "OFF"}`;
}
