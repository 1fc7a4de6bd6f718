import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { freePort } from "#tests/support/free-port.ts";
import { listening } from "#tests/support/pgbouncer.ts";

const PROGRAM = "/usr/bin/prometheus";

/** Whether Debian's Prometheus is installed. Otherwise the tests that need it are skipped, and say so. */
export const hasPrometheus = existsSync(PROGRAM);

export type Prometheus = {
  url: string;
  /** The names of the alarms that fire now. */
  firing(): Promise<string[]>;
  close(): Promise<void>;
};

/** The rules of deploy/ with shorter time spans: ten minutes become 600 / `haste` seconds. Thresholds stay. */
export function hasten(rules: string, haste: number): string {
  const seconds = { s: 1, m: 60, h: 3600 };
  const shorter = (count: string, unit: keyof typeof seconds) =>
    `${Math.max(1, Math.round((Number(count) * seconds[unit]) / haste))}s`;
  const span = /(?<=\[|for: )(\d+)([smh])\b/g;
  return rules.replaceAll(span, (_, count: string, unit: keyof typeof seconds) => shorter(count, unit));
}

/**
 * Starts a real Prometheus that scrapes these addresses (`127.0.0.1:9100`) every two seconds, under the rules of
 * deploy/. Resolves when it has scraped all of them.
 */
export async function startPrometheus(targets: string[], haste: number): Promise<Prometheus> {
  const folder = mkdtempSync(path.join(tmpdir(), "irepo-prometheus-"));
  const port = await freePort();
  writeFileSync(path.join(folder, "alerts.yaml"), hasten(readFileSync("deploy/monitoring/alerts.yaml", "utf8"), haste));
  writeFileSync(
    path.join(folder, "prometheus.yaml"),
    JSON.stringify({
      global: { scrape_interval: "2s", scrape_timeout: "2s", evaluation_interval: "1s" },
      rule_files: ["alerts.yaml"],
      scrape_configs: [{ job_name: "irepo", static_configs: [{ targets }] }],
    }),
  );
  const options = [
    `--config.file=${folder}/prometheus.yaml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=warn",
  ];
  const child = spawn(PROGRAM, options, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk));
  const gone = once(child, "exit");
  const ended = gone.then(([code]) => Promise.reject(new Error(`Prometheus ended with ${code}: ${said}`)));
  await Promise.race([listening(port), ended]);
  ended.catch(() => undefined); // the process also ends when it is closed
  const url = `http://127.0.0.1:${port}`;
  while ((await upCount(url)) < targets.length) await pause(100);
  return {
    url,
    async firing() {
      const answer = ALERTS.parse(await (await fetch(`${url}/api/v1/alerts`)).json());
      const names = answer.data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname);
      return [...new Set(names)].sort();
    },
    async close() {
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}

/** How many targets Prometheus has scraped, 0 while it is not ready itself. */
async function upCount(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/query?query=up==1`);
  return answer.ok ? UP.parse(await answer.json()).data.result.length : 0;
}

const UP = z.object({ data: z.object({ result: z.array(z.unknown()) }) });
const ALERTS = z.object({
  data: z.object({ alerts: z.array(z.object({ state: z.string(), labels: z.object({ alertname: z.string() }) })) }),
});
