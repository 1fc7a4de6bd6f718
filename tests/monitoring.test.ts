import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { metricsText } from "#app/infra/metrics/door.server.ts";
import { shopFigures } from "#app/owner/figures.server.ts";
import { useDatabase } from "#tests/support/database.ts";

const database = useDatabase();
const FOLDER = "deploy/monitoring";
const file = (name: string) => readFileSync(`${FOLDER}/${name}`, "utf8");
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

/** The expressions only: annotations are sentences, not PromQL. */
const EXPRESSIONS = {
  "dashboard.json": [...file("dashboard.json").matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = ""]) =>
    String(JSON.parse(text)),
  ),
  "alerts.yaml": [...file("alerts.yaml").matchAll(/^ +expr: (.+)$/gm)].map(([, text = ""]) => text),
  "alerts.test.yaml": [...file("alerts.test.yaml").matchAll(/series: '(\w+)/g)].flatMap(([, name = ""]) =>
    name === "up" ? [] : [name],
  ),
};

async function exported(): Promise<Set<string>> {
  const text = await metricsText(shopFigures(database.db));
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  return new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? ["bucket", "sum", "count"].map((part) => `${name}_${part}`) : [name],
    ),
  );
}

test.each(Object.entries(EXPRESSIONS))("%s asks for what the shop tells", async (_, expressions) => {
  const asked = expressions.flatMap((one) => one.match(/\b(?:irepo|http|nodejs|process)_\w+/g) ?? []);
  expect(asked.length).toBeGreaterThanOrEqual(expressions.length);
  expect(expressions.length).toBeGreaterThan(15);
  const known = await exported();
  expect(new Set(asked.filter((name) => !known.has(name)))).toEqual(new Set());
});

test("the dashboard's panels stand side by side, each under a name of its own", () => {
  type Panel = { id: number; title: string; gridPos: { x: number; y: number } };
  const { panels }: { panels: Panel[] } = JSON.parse(file("dashboard.json"));
  const places = panels.map(({ gridPos: { x, y } }) => `${x} ${y}`);
  const names = panels.map(({ title }) => title);
  for (const keys of [places, names, panels.map(({ id }) => String(id))])
    expect(new Set(keys).size).toBe(panels.length);
});

test("each alarm has a case in which it is told, and one in which it is not", () => {
  const rule = z.object({ alert: z.string() });
  const rules = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) }).parse(parse(file("alerts.yaml")));
  const expected = z.object({ alertname: z.string(), exp_alerts: z.array(z.object({})).default([]) });
  const cases = z
    .object({ tests: z.array(z.object({ alert_rule_test: z.array(expected) })) })
    .parse(parse(file("alerts.test.yaml")))
    .tests.flatMap((one) => one.alert_rule_test);
  const names = (isTold: boolean) =>
    cases.filter(({ exp_alerts }) => exp_alerts.length > 0 === isTold).map(({ alertname }) => alertname);
  const alarms = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  for (const isTold of [true, false]) expect(new Set(names(isTold))).toEqual(new Set(alarms));
});

test.skipIf(!hasPromtool)(
  "each alarm is told when it should be, and on an ordinary day none (needs promtool: apt-get install prometheus)",
  () => {
    const promtool = (...words: string[]) => execFileSync("promtool", words, { cwd: FOLDER, encoding: "utf8" });
    expect(promtool("check", "rules", "alerts.yaml")).toContain("SUCCESS");
    expect(promtool("test", "rules", "alerts.test.yaml")).toContain("SUCCESS");
  },
);

test.skipIf(!hasPromtool)(
  "Prometheus finds nothing to mend in what the shop tells (needs promtool: apt-get install prometheus)",
  async () => {
    const input = await metricsText(shopFigures(database.db));
    const { stdout, stderr } = spawnSync("promtool", ["check", "metrics"], { input, encoding: "utf8" });
    // The metrics with this prefix come from the library.
    const found = (stdout + stderr).split("\n").filter((line) => line && !line.startsWith("nodejs_"));
    expect(found).toEqual([]);
  },
);
