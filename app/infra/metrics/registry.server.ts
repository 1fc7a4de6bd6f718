import cluster from "node:cluster";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { jobChannel, outboundChannel, pageCacheChannel } from "#app/infra/channels.server.ts";
import { poolSizes } from "#app/infra/database/db.server.ts";
import { JOB_NAMES } from "#app/infra/database/queue.server.ts";
import { inSeconds } from "#app/infra/durations.ts";
import { openStreams } from "#app/infra/http/event-stream.server.ts";
import { VERSION } from "#app/infra/settings/version.server.ts";

/**
 * Everything that is measured in this process. Each process has its own series, by the label `process`: `main`, or
 * `web-N` with several.
 */
export const registry = new Registry();
registry.setDefaultLabels({ process: cluster.worker ? `web-${cluster.worker.id}` : "main" });
collectDefaultMetrics({ register: registry });

const registers = [registry];

/** A histogram of durations in seconds. */
function durations<Label extends string>(name: string, help: string, labelNames: Label[]): Histogram<Label> {
  return new Histogram({
    name,
    help,
    labelNames,
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
}

export const requests = durations(
  "http_request_duration_seconds",
  "Requests by the route's pattern, from the first byte to the last one of the answer; 499: the client has gone",
  ["method", "route", "status"],
);

const pages = new Counter({
  name: "irepo_page_cache_requests_total",
  help: "Requests of pages that everybody shares: hit, or miss where one had to be rendered",
  labelNames: ["result"],
  registers,
});
pageCacheChannel.subscribe((result) => pages.inc({ result: String(result) }));

const jobs = durations("irepo_job_duration_seconds", "Jobs that were run, by name and outcome (done or failed)", [
  "queue",
  "outcome",
]);
// An alert on an increase misses the first failure unless there was a zero before it.
for (const queue of JOB_NAMES) jobs.zero({ queue, outcome: "failed" });
const outbound = durations(
  "irepo_outbound_request_duration_seconds",
  "Requests to other servers (payment provider, rates, geolocation) by host and status; none: no whole answer",
  ["host", "status"],
);

const begin = (what: { startedAt?: number }) => {
  what.startedAt = performance.now();
};
const since = ({ startedAt = performance.now() }) => inSeconds(performance.now() - startedAt);

jobChannel.subscribe({
  start: begin,
  asyncEnd: (run) => jobs.observe({ queue: run.name, outcome: run.error ? "failed" : "done" }, since(run)),
});
outboundChannel.subscribe({
  start: begin,
  asyncEnd: (asked) =>
    outbound.observe({ host: new URL(asked.url).host, status: asked.status ?? "none" }, since(asked)),
});

new Gauge({
  name: "irepo_build_info",
  help: "1, with the version of this process",
  labelNames: ["version"],
  registers,
}).set({ version: VERSION }, 1);
new Gauge({
  name: "irepo_database_pool_connections",
  help: "Connections of this process by pool and state; waiting: requests for which there is none",
  labelNames: ["pool", "state"],
  registers,
  collect() {
    for (const { pool, state, count } of poolSizes()) this.set({ pool, state }, count);
  },
});
new Gauge({
  name: "irepo_streams_open",
  help: "Open event streams",
  registers,
  collect() {
    this.set(openStreams());
  },
});
