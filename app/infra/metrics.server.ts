export type Gauge = { name: string; help: string; value: number };

/** Figures and the process's own in Prometheus' text format. */
export function metrics(figures: Gauge[]): string {
  const gauges: Gauge[] = [
    ...figures,
    { name: "process_resident_memory_bytes", help: "Memory of this process", value: process.memoryUsage.rss() },
    { name: "process_uptime_seconds", help: "Seconds since this process started", value: Math.round(process.uptime()) },
  ];
  return gauges
    .map(({ name, help, value }) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`)
    .join("");
}
