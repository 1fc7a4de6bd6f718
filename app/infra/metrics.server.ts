import { createServer } from "node:http";
import { log } from "./log.server.ts";

export type Gauge = { name: string; help: string; value: number };

/** Figures and the process's own in Prometheus' text format. */
function metrics(figures: Gauge[]): string {
  const gauges: Gauge[] = [
    ...figures,
    { name: "process_resident_memory_bytes", help: "Memory of this process", value: process.memoryUsage.rss() },
    { name: "process_uptime_seconds", help: "Seconds since this process started", value: Math.round(process.uptime()) },
  ];
  return gauges
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join("");
}

/** Serves the figures, and nothing else, on an address of their own, which no proxy in front of the shop leads to. Returns how to stop. */
export async function openMetrics(
  { port, host }: { port: number; host: string },
  figures: () => Promise<Gauge[]>,
): Promise<() => Promise<void>> {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== "GET" || url !== "/metrics") return response.writeHead(404).end();
    try {
      const text = metrics(await figures());
      response.writeHead(200, { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" }).end(text);
    } catch (error) {
      log.warn({ err: error }, "the figures cannot be read");
      response.writeHead(503).end();
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
