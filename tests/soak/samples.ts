import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Figure } from "../../bench/measure.ts";
import { median, round } from "../../bench/measure.ts";
import type { Panel } from "../../scripts/chart.ts";
import type { Kind } from "../machines/answers.ts";
import { IDLE, type Sample } from "./probe.ts";

const MB = 1024 * 1024;
/** The most that a process may have grown since it was warm, and the most delay of its event loop. */
const MOST_GROWN = 10; // %
const MOST_DELAY = 50; // ms

/** The samples that each process of the shop has written by `until`, by its name. */
export function readSamples(folder: string, until = Infinity): Map<string, Sample[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const all = files.map((name) => readFileSync(path.join(folder, name), "utf8").trim().split("\n"));
  const samples = all.map((lines) => lines.map((line): Sample => JSON.parse(line)).filter(({ at }) => at <= until));
  return new Map(samples.map((some) => [some[0]?.name ?? "", some] as const).sort(([a], [b]) => a.localeCompare(b)));
}

const collectedIn = (samples: Sample[]) => samples.filter(({ live }) => live !== undefined);
/** Whether a process has lived long enough to be compared with itself. */
export const isComparable = (samples: Sample[]) => collectedIn(samples).length > 1;

/**
 * Compares a process's first and last garbage collection: the memory that the operating system reports, as the median
 * of the `over` ms before each, and the heap in use right after. Adds the event loop's delay over the whole life. A
 * process with fewer than two collections has only the latter.
 */
export function figuresOf(name: string, samples: Sample[], over: number): Figure[] {
  const loop = round(samples.at(-1)?.p99Ever ?? 0, 1);
  if (name === IDLE) return [{ name: "event loop p99 of an idle process", value: loop, unit: "ms" }];
  const collected = collectedIn(samples);
  const memory = collected.map(({ age }) =>
    median(samples.filter((one) => one.age > age - over && one.age < age).map(({ rss }) => rss)),
  );
  const lives = collected.map(({ live = 0 }) => live);
  const compared = (what: string, bytes: number[]): Figure[] => {
    const [first = 0, last = 0] = [bytes[0], bytes.at(-1)];
    const grown = round((100 * (last - first)) / first, 1);
    return [
      { name: `${name}: ${what}, warm`, value: Math.round(first / MB), unit: "MB" },
      { name: `${name}: ${what}, grown`, value: grown, unit: "%", bar: { max: MOST_GROWN } },
    ];
  };
  return [
    ...(isComparable(samples) ? [...compared("memory", memory), ...compared("heap collected", lives)] : []),
    { name: `${name}: event loop p99`, value: loop, unit: "ms", bar: { max: MOST_DELAY } },
  ];
}

/** How many answers shoppers and the office had got by then. `at` is in ms since 1970. */
export type Answered = { at: number; counts: Record<Kind, number> };
const ANSWERS: Record<Kind, string> = { page: "pages", honest: "try again in a moment", odd: "others" };

/** The charts of what the processes used over time, and of the answers. */
export function panelsOf(samples: Map<string, Sample[]>, answered: Answered[]): Panel[] {
  const panel = (title: string, unit: string, x: number, figure: (sample: Sample) => number | undefined): Panel => ({
    title,
    unit,
    place: { x, y: 0, w: 8, h: 9 },
    series: [...samples].map(([name, some]) => ({
      name,
      points: some.flatMap((one) => {
        const value = figure(one);
        return value === undefined ? [] : [[one.at / 1000, value] as [number, number]];
      }),
    })),
  });
  return [
    panel("Memory of each process, MB", "", 0, ({ rss }) => rss / MB),
    panel("Heap in use, MB", "", 8, ({ heap }) => heap / MB),
    panel("Event loop, 99 %", "s", 16, ({ p99, live }) => (live === undefined ? p99 / 1000 : undefined)),
    {
      title: "Answers a second",
      unit: "",
      place: { x: 0, y: 9, w: 24, h: 7 },
      series: (Object.keys(ANSWERS) as Kind[]).map((kind) => ({
        name: ANSWERS[kind],
        points: answered.slice(1).map(({ at, counts }, before) => {
          const { at: since = 0, counts: earlier } = answered[before] ?? {};
          return [at / 1000, (1000 * (counts[kind] - (earlier?.[kind] ?? 0))) / (at - since)];
        }),
      })),
    },
  ];
}
