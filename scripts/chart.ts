import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { readArguments } from "./usage.ts";

// `npm run chart`: the panels of deploy/monitoring/dashboard.json as one SVG, drawn from the data of a Prometheus
// server, for machines without Grafana.

const POINTS = 150;
const COLUMN = 50; // pixels; the dashboard has 24 columns
const ROW = 26;
const PLOT = { left: 44, right: 10, top: 26, bottom: 34 };
const COLOURS = [
  "#1b6ca8",
  "#d1495b",
  "#2e933c",
  "#e08e0b",
  "#6a4c93",
  "#00868b",
  "#8d5524",
  "#555",
  "#c71585",
  "#7a9e00",
];

const DASHBOARD = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })),
    }),
  ),
});
const ANSWER = z.object({
  data: z.object({
    result: z.array(
      z.object({ metric: z.record(z.string(), z.string()), values: z.array(z.tuple([z.number(), z.string()])) }),
    ),
  }),
});
type Series = { name: string; points: [time: number, value: number][] };
/**
 * `place` is in dashboard columns, of which there are 24, and rows. `unit` is Grafana's: `s`, `percentunit` or any
 * other.
 */
export type Panel = {
  title: string;
  unit: string;
  place: { x: number; y: number; w: number; h: number };
  series: Series[];
};
/**
 * `from` and `to`: seconds since 1970. `scrape`: the interval of Prometheus' scrapes, in seconds. `marks`: named
 * moments.
 */
export type Span = { from: number; to: number; scrape: number; marks?: { at: number; name: string }[] };

/** An SVG of all panels, and the expressions for which Prometheus has no data. */
export async function drawDashboard(prometheus: string, span: Span): Promise<{ svg: string; empty: string[] }> {
  const { panels } = DASHBOARD.parse(JSON.parse(readFileSync("deploy/monitoring/dashboard.json", "utf8")));
  const empty: string[] = [];
  const found: Panel[] = [];
  for (const { title, gridPos, fieldConfig, targets } of panels) {
    const series: Series[] = [];
    for (const { expr, legendFormat } of targets) {
      const some = await seriesOf(prometheus, expr, legendFormat, span);
      if (some.length === 0) empty.push(expr);
      series.push(...some);
    }
    found.push({ title, unit: fieldConfig.defaults.unit, place: gridPos, series });
  }
  return { svg: drawPanels(found, span), empty };
}

/** An SVG of these panels. */
export function drawPanels(panels: Panel[], span: Span): string {
  const height = Math.max(...panels.map(({ place: { y, h } }) => (y + h) * ROW)) + ROW;
  const legend = (span.marks ?? []).map(({ name }, at) => `${at + 1} ${name}`).join("   ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * COLUMN} ${height}" font-family="sans-serif" font-size="10">
<title>The metrics of a shop</title>
<rect width="100%" height="100%" fill="#fff"/>
${panels.map((panel) => panelOf(panel, span)).join("\n")}
<text x="12" y="${height - 10}" font-size="12" xml:space="preserve">${escaped(legend)}</text>
</svg>
`;
}

async function seriesOf(prometheus: string, expr: string, legend: string, span: Span): Promise<Series[]> {
  const { from, to, scrape } = span;
  const step = stepOf(span);
  const window = `${Math.ceil(Math.max(4 * scrape, step + scrape))}s`;
  const query = expr.replaceAll("$__rate_interval", window);
  const words = new URLSearchParams({ query, start: String(from), end: String(to), step: String(step) });
  const answer = await fetch(`${prometheus}/api/v1/query_range?${words}`);
  if (!answer.ok) throw new Error(`Prometheus answers ${answer.status} to ${query}: ${await answer.text()}`);
  return ANSWER.parse(await answer.json()).data.result.map(({ metric, values }) => ({
    name: legend.replaceAll(/{{(\w+)}}/g, (_, label: string) => metric[label] ?? ""),
    points: values.map(([time, value]) => [time, Number(value)]),
  }));
}

const stepOf = ({ from, to, scrape }: Span) => Math.max((to - from) / POINTS, scrape);

function panelOf({ title, unit, place, series }: Panel, { from, to, scrape, marks = [] }: Span): string {
  const [width, height] = [place.w * COLUMN, place.h * ROW];
  const [right, bottom] = [width - PLOT.right, height - PLOT.bottom];
  const most = Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite));
  const step = stepOf({ from, to, scrape });
  const x = (time: number) => Math.round(PLOT.left + ((time - from) / (to - from)) * (right - PLOT.left));
  const y = (value: number) => Math.round(bottom - (value / (most || 1)) * (bottom - PLOT.top));
  const line = ({ points }: Series, at: number) =>
    `<path fill="none" stroke="${colour(at)}" stroke-width="1.5" d="${pathOf(points, (time, value) => [x(time), y(value)], step)}"/>`;
  const label = ({ name }: Series, at: number) => `<tspan fill="${colour(at)}">${escaped(name)}</tspan>`;
  const mark = ({ at }: { at: number }, number: number) =>
    `<path stroke="#bbb" stroke-dasharray="2 3" d="M${x(at)} ${PLOT.top}V${bottom}"/><text x="${x(at) + 2}" y="${PLOT.top + 8}" fill="#999" font-size="8">${number + 1}</text>`;
  return `<g transform="translate(${place.x * COLUMN} ${place.y * ROW})">
<text x="12" y="18" font-size="12" font-weight="bold">${escaped(title)}</text>
<path stroke="#ccc" d="M${PLOT.left} ${PLOT.top}H${right}M${PLOT.left} ${bottom}H${right}"/>
<text x="${PLOT.left - 4}" y="${PLOT.top + 4}" text-anchor="end">${inUnit(most, unit)}</text><text x="${PLOT.left - 4}" y="${bottom}" text-anchor="end">0</text>
<text x="${right}" y="${bottom + 11}" text-anchor="end" fill="#777">${inUnit(to - from, "s")}</text>
${marks.map(mark).join("")}
${series.map(line).join("\n")}
<text x="${PLOT.left}" y="${bottom + 24}" font-size="9" xml:space="preserve">${namesIn(right - PLOT.left, series)
    .map(label)
    .join("  ")}</text>
</g>`;
}

/**
 * The SVG path of a series. Of consecutive equal points it holds the first and the last; missing points leave a gap.
 */
function pathOf(
  points: [time: number, value: number][],
  place: (time: number, value: number) => [x: number, y: number],
  step: number,
): string {
  let path = "";
  let before = -Infinity;
  const known = points.filter(([, value]) => Number.isFinite(value));
  known.forEach(([time, value], at) => {
    const isFirst = time - before > 2.5 * step;
    const isFlat =
      known[at - 1]?.[1] === value && known[at + 1]?.[1] === value && (known[at + 1]?.[0] ?? 0) - time < 2.5 * step;
    if (isFirst || !isFlat) path += `${isFirst ? "M" : "L"}${place(time, value).join(" ")}`;
    before = time;
  });
  return path;
}

/** As many series, from the first on, as have room for their names in this width (px). */
function namesIn(width: number, series: Series[]): Series[] {
  const widthOf = (some: Series[]) => some.reduce((sum, { name }) => sum + name.length * 5 + 8, 0);
  return series.filter((_, at) => widthOf(series.slice(0, at + 1)) <= width);
}

const colour = (at: number) => COLOURS[at % COLOURS.length];
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function inUnit(value: number, unit: string): string {
  if (unit === "percentunit") return `${Math.round(value * 100)} %`;
  if (unit !== "s") return String(Number(value.toPrecision(3)));
  const units: [number, string][] = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ];
  const [size, name] = units.find(([size]) => value >= size) ?? [0.001, "ms"];
  return `${Number((value / size).toPrecision(3))} ${name}`;
}

if (import.meta.main) {
  const { values } = readArguments("chart", {
    options: {
      prometheus: { type: "string", default: "http://127.0.0.1:9090" },
      hours: { type: "string", default: "6" },
      scrape: { type: "string", default: "15" },
      out: { type: "string", default: "metrics.svg" },
    },
  });
  const to = Date.now() / 1000;
  const from = to - Number(values.hours) * 3600;
  const { svg, empty } = await drawDashboard(values.prometheus, { from, to, scrape: Number(values.scrape) });
  writeFileSync(values.out, svg);
  process.stdout.write(`${values.out}\n`);
  for (const expr of empty) process.stderr.write(`Nothing is known of ${expr}\n`);
}
