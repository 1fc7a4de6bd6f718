import type { Worker } from "node:cluster";
import { createServer } from "node:http";
import { Gauge, Registry } from "prom-client";
import { SECOND } from "#app/infra/durations.ts";
import { log } from "#app/infra/log.server.ts";
import { runningProcesses } from "#app/infra/processes.server.ts";
import { registry } from "./registry.server.ts";

/** A metric that does not belong to a process, such as one that is read from the database. */
export type Figure = { name: string; help: string; samples: { labels: Record<string, string>; value: number }[] };

/**
 * Serves the metrics of all processes and the figures in Prometheus' text format, and nothing else, on a port of its
 * own, which no proxy in front of the shop leads to. Returns a function that stops it.
 */
export async function openMetrics(
  { port, host }: { port: number; host: string },
  figures: () => Promise<Figure[]>,
): Promise<() => Promise<void>> {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== "GET" || url !== "/metrics") return response.writeHead(404).end();
    try {
      const text = await metricsText(figures);
      response.writeHead(200, { "Content-Type": registry.contentType, "Cache-Control": "no-store" }).end(text);
    } catch (error) {
      log.error({ err: error }, "the metrics cannot be told");
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new Error(`METRICS_PORT or METRICS_HOST cannot be used: ${error.message}`)));
    server.listen(port, host, resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

/**
 * The metrics of this process and its web processes, and the figures. While the database is away, the figures are
 * missing and `irepo_database_up` is 0.
 */
export async function metricsText(figures: () => Promise<Figure[]>): Promise<string> {
  return merged(await Promise.all([registry.metrics(), figuresText(figures), ...runningProcesses().map(metricsOf)]));
}

async function figuresText(figures: () => Promise<Figure[]>): Promise<string> {
  const known = await figures().catch((error) => {
    log.warn({ err: error }, "the figures cannot be read");
    return undefined;
  });
  const up = { name: "irepo_database_up", help: "Whether the database tells the figures" };
  const all: Figure[] = [...(known ?? []), { ...up, samples: [{ labels: {}, value: known ? 1 : 0 }] }];
  const register = new Registry();
  for (const { name, help, samples } of all) {
    const gauge = new Gauge({ name, help, labelNames: Object.keys(samples[0]?.labels ?? {}), registers: [register] });
    for (const { labels, value } of samples) gauge.set(labels, value);
  }
  return register.metrics();
}

const ASKED = "tell your metrics";
type MetricsMessage = { metrics: string };

const isMetricsMessage = (message: unknown): message is MetricsMessage =>
  typeof message === "object" && message !== null && "metrics" in message;

/** Makes this web process send its metrics to its parent process on request. */
export function tellMetrics(): void {
  process.on("message", (message) => {
    if (message === ASKED) registry.metrics().then((metrics) => process.send?.({ metrics } satisfies MetricsMessage));
  });
}

/** The metrics of a web process; empty if it does not answer within a second, as while it starts or ends. */
function metricsOf(worker: Worker): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const hear = (message: unknown) => isMetricsMessage(message) && resolve(message.metrics);
  const nothing = () => resolve("");
  const timer = setTimeout(nothing, SECOND);
  worker.on("message", hear).once("exit", nothing);
  if (worker.isConnected()) worker.send(ASKED);
  else nothing();
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", hear).off("exit", nothing);
  });
}

/** Merges texts so that the lines of each metric stand together. */
function merged(texts: string[]): string {
  const families = new Map<string, string[]>();
  for (const family of texts.flatMap((text) => text.trim().split(/\n\n+/))) {
    const [help = "", type = "", ...samples] = family.split("\n");
    const head = `${help}\n${type}`;
    families.set(head, [...(families.get(head) ?? []), ...samples]);
  }
  return [...families].map(([head, samples]) => `${[head, ...samples].join("\n")}\n`).join("\n");
}
