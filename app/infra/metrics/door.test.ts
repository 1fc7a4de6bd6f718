import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { jobChannel, pageCacheChannel } from "#app/infra/channels.server.ts";
import { request } from "../http/client.server.ts";
import { eventStream } from "../http/event-stream.server.ts";
import { metricsText, openMetrics } from "./door.server.ts";
import { measured } from "./requests.server.ts";

/** The metrics without the label that all lines of this process have. */
const told = async () => (await metricsText(async () => [])).replaceAll(/process="main",?|,process="main"/g, "");

test("requests are counted by method, route and status, also those of disconnected clients and those to other servers", async () => {
  const listener = measured(
    ({ url }, response) => {
      if (url === "/slow") return; // never answers
      response.writeHead(url === "/x" ? 404 : 200).end("answer");
    },
    (url) => (url === "/x" ? "other" : url),
  );
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [path, method] of [["/shop"], ["/shop"], ["/x"], ["/shop", "POST"], ["/shop", "PROPFIND"]])
    await (await fetch(url + path, { method })).text();
  await request(`${url}/shop`);
  await fetch(`${url}/slow`, { signal: AbortSignal.timeout(50) }).catch(() => undefined);
  await request("http://127.0.0.1:1/nobody");
  await expect.poll(told).toContain('route="/slow",status="499"');
  const text = await told();
  for (const line of [
    'http_request_duration_seconds_count{method="GET",route="/shop",status="200"} 3',
    'http_request_duration_seconds_count{method="GET",route="other",status="404"} 1',
    'http_request_duration_seconds_count{method="POST",route="/shop",status="200"} 1',
    'http_request_duration_seconds_count{method="other",route="/shop",status="200"} 1',
    `irepo_outbound_request_duration_seconds_count{host="${url.slice(7)}",status="200"} 1`,
    'irepo_outbound_request_duration_seconds_count{host="127.0.0.1:1",status="none"} 1',
  ])
    expect(text).toContain(line);
  server.closeAllConnections();
  server.close();
});

test("jobs by outcome, cached pages and open streams are counted", async () => {
  await jobChannel.tracePromise(() => sleep(1), { name: "send-mail" });
  const failing = jobChannel.tracePromise(() => Promise.reject(new Error("no")), { name: "send-mail" });
  await expect(failing).rejects.toThrow("no");
  for (const result of ["hit", "miss", "hit"]) pageCacheChannel.publish(result);
  const leaving = new AbortController();
  eventStream(leaving.signal, "ada", () => () => undefined);
  const text = await told();
  for (const line of [
    'irepo_job_duration_seconds_count{queue="send-mail",outcome="done"} 1',
    'irepo_job_duration_seconds_count{queue="send-mail",outcome="failed"} 1',
    'irepo_job_duration_seconds_count{queue="refresh-rate",outcome="failed"} 0',
    'irepo_page_cache_requests_total{result="hit"} 2',
    'irepo_page_cache_requests_total{result="miss"} 1',
    "irepo_streams_open{} 1",
    "nodejs_eventloop_lag_p99_seconds{",
  ])
    expect(text).toContain(line);
  leaving.abort();
  expect(await told()).toContain("irepo_streams_open{} 0");
});

test("without the database the shop's figures are missing, and nothing else", async () => {
  const figures = [{ name: "irepo_orders", help: "Orders", samples: [{ labels: { state: "open" }, value: 2 }] }];
  const text = await metricsText(async () => figures);
  expect(text).toContain('# HELP irepo_orders Orders\n# TYPE irepo_orders gauge\nirepo_orders{state="open"} 2\n');
  expect(text).toContain("irepo_database_up 1");
  const without = await metricsText(() => Promise.reject(new Error("away")));
  expect(without).toContain("irepo_database_up 0");
  expect(without).toContain("process_resident_memory_bytes");
  expect(without).not.toContain("irepo_orders");
});

test("nothing else is served, and a port that is taken is named by its setting", async () => {
  const blocker = createServer().listen(0, "127.0.0.1");
  await once(blocker, "listening");
  const { port } = blocker.address() as AddressInfo;
  const place = { port, host: "127.0.0.1" };
  await expect(openMetrics(place, async () => [])).rejects.toThrow(/^METRICS_PORT or METRICS_HOST cannot be used/);
  await new Promise((resolve) => blocker.close(resolve));
  const close = await openMetrics(place, async () => []);
  const statuses = ["/metrics", "/", "/metrics/"].map(
    async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 404]);
  await close();
});
