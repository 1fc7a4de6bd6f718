import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Figure, median, round } from "./measure.ts";
import { PAGES } from "./pages.ts";
import { type TraceEvent, withoutWaiting } from "./processor-time.ts";
import { withShop } from "./shop.ts";

const OUT = "bench/out/lighthouse";
const ROUNDS = 3;
const FLAGS =
  "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

type Report = {
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue?: number }>;
};

/**
 * A run as it was, and the same run judged by the processor time of the page's tasks: on two cores, half of a task's
 * duration is waiting.
 */
type Run = { report: Report; byProcessorTime: Report };

/** Runs Lighthouse for a mobile phone and takes the middle one of three runs of each page. */
export function lighthouse(): Promise<Figure[]> {
  install();
  return withShop(async (shop) =>
    Object.entries(PAGES).flatMap(([name, page]) => {
      const runs = Array.from({ length: ROUNDS }, (_, i) => run(shop.url + page, `${name}-${i}`));
      const middle = (read: (report: Report) => number) => median(runs.map(({ report }) => read(report)));
      const score = (category: string) =>
        round(
          middle(({ categories }) => (categories[category]?.score ?? 0) * 100),
          0,
        );
      const blocking = ({ audits }: Report) => audits["total-blocking-time"]?.numericValue ?? 0;
      const audit = (id: string) => middle(({ audits }) => audits[id]?.numericValue ?? 0);
      return [
        { name: `${name}: performance`, value: score("performance"), unit: "", bar: { min: 97 } },
        { name: `${name}: accessibility`, value: score("accessibility"), unit: "", bar: { min: 100 } },
        { name: `${name}: best practices`, value: score("best-practices"), unit: "", bar: { min: 100 } },
        { name: `${name}: search engines`, value: score("seo"), unit: "", bar: { min: 100 } },
        { name: `${name}: LCP`, value: round(audit("largest-contentful-paint") / 1000), unit: "s", bar: { max: 1.8 } },
        { name: `${name}: CLS`, value: round(audit("cumulative-layout-shift"), 3), unit: "", bar: { max: 0 } },
        { name: `${name}: TBT`, value: round(middle(blocking), 0), unit: "ms", bar: { max: 80 } },
        {
          name: `${name}: TBT by processor time`,
          value: round(median(runs.map(({ byProcessorTime }) => blocking(byProcessorTime))), 0),
          unit: "ms",
        },
      ];
    }),
  );
}

/** Installs Lighthouse at the first use. Its packages are separate, since nobody needs them to run or test the shop. */
function install(): void {
  if (existsSync("bench/lighthouse/node_modules/lighthouse")) return;
  process.stderr.write("Installing Lighthouse into bench/lighthouse/node_modules (once) ...\n");
  const done = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: "bench/lighthouse",
    stdio: ["ignore", 2, 2],
    shell: true,
  });
  if (done.status !== 0) throw new Error("Lighthouse could not be installed; the reason stands above");
}

/**
 * Runs Lighthouse on a page. A run in which the browser's recorder has lost the page's beginning, as sometimes happens,
 * is useless and is repeated.
 */
function run(url: string, name: string, again = 2): Run {
  if (again < 0) throw new Error(`Lighthouse failed on ${url}`);
  const gathered = path.resolve(OUT, name);
  mkdirSync(gathered, { recursive: true });
  const report = judge(url, `-GA=${gathered}`, `${gathered}.json`);
  if (!report) return run(url, name, again - 1);
  const file = `${gathered}/trace.json`;
  const { traceEvents, ...rest } = JSON.parse(readFileSync(file, "utf8")) as { traceEvents: TraceEvent[] };
  writeFileSync(file, JSON.stringify({ ...rest, traceEvents: withoutWaiting(traceEvents) }));
  const byProcessorTime = judge(url, `-A=${gathered}`, `${gathered}-processor-time.json`);
  if (!byProcessorTime) throw new Error(`Lighthouse cannot read its own recording of ${url}`);
  return { report, byProcessorTime };
}

function judge(url: string, mode: string, file: string): Report | undefined {
  const done = spawnSync(
    process.execPath,
    [
      "bench/lighthouse/node_modules/lighthouse/cli/index.js",
      url,
      mode,
      "--quiet",
      "--output=json",
      `--output-path=${file}`,
      `--chrome-flags=${FLAGS}`,
    ],
    { stdio: ["ignore", 2, 2], env: { ...process.env, CHROME_PATH: "/usr/bin/chromium" } },
  );
  return done.status === 0 ? (JSON.parse(readFileSync(file, "utf8")) as Report) : undefined;
}
