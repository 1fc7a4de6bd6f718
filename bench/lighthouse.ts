import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Figure, median, round } from "./measure.ts";
import { PAGES } from "./pages.ts";
import { withShop } from "./shop.ts";

const OUT = "bench/out/lighthouse";
const ROUNDS = 3;
const FLAGS =
  "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

type Report = {
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue?: number }>;
};

/** Lighthouse as for a mobile phone, the middle of three runs of each page. */
export function lighthouse(): Promise<Figure[]> {
  install();
  return withShop(async (shop) =>
    Object.entries(PAGES).flatMap(([name, page]) => {
      const reports = Array.from({ length: ROUNDS }, (_, i) => run(shop.url + page, `${name}-${i}`));
      const middle = (read: (report: Report) => number) => median(reports.map(read));
      const score = (category: string) =>
        round(
          middle(({ categories }) => (categories[category]?.score ?? 0) * 100),
          0,
        );
      const audit = (id: string) => middle(({ audits }) => audits[id]?.numericValue ?? 0);
      return [
        { name: `${name}: performance`, value: score("performance"), unit: "", bar: { min: 97 } },
        { name: `${name}: accessibility`, value: score("accessibility"), unit: "", bar: { min: 100 } },
        { name: `${name}: best practices`, value: score("best-practices"), unit: "", bar: { min: 100 } },
        { name: `${name}: search engines`, value: score("seo"), unit: "", bar: { min: 100 } },
        { name: `${name}: LCP`, value: round(audit("largest-contentful-paint") / 1000), unit: "s", bar: { max: 1.8 } },
        { name: `${name}: CLS`, value: round(audit("cumulative-layout-shift"), 3), unit: "", bar: { max: 0 } },
        { name: `${name}: TBT`, value: round(audit("total-blocking-time"), 0), unit: "ms", bar: { max: 80 } },
      ];
    }),
  );
}

/** Its own packages, installed at the first use: no newcomer needs them to run or test the shop. */
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

/** The browser's recorder sometimes loses the page's beginning: then the run is worth nothing and is done again. */
function run(url: string, name: string, again = 2): Report {
  if (again < 0) throw new Error(`Lighthouse failed on ${url}`);
  mkdirSync(OUT, { recursive: true });
  const file = path.resolve(OUT, `${name}.json`);
  const done = spawnSync(
    process.execPath,
    [
      "bench/lighthouse/node_modules/lighthouse/cli/index.js",
      url,
      "--quiet",
      "--output=json",
      `--output-path=${file}`,
      `--chrome-flags=${FLAGS}`,
    ],
    { stdio: ["ignore", 2, 2], env: { ...process.env, CHROME_PATH: "/usr/bin/chromium" } },
  );
  if (done.status !== 0) return run(url, name, again - 1);
  return JSON.parse(readFileSync(file, "utf8")) as Report;
}
