import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export type Balancer = {
  url: string;
  /** The failures between the balancer and an instance, one line each. The balancer never retries. */
  failures: string[];
  close(): Promise<void>;
};

const PROBE_INTERVAL = 100; // ms
const PROBE_WITHIN = 1000; // ms

/**
 * Passes requests in turn to the instances whose /readyz answers 200, over kept connections, as nginx and haproxy do.
 */
export async function startBalancer(urls: () => string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let ready: string[] = [];
  let turn = 0;
  let isOpen = true;

  const server = createServer((asked, answer) => {
    const origin = ready[turn++ % ready.length];
    if (origin) return hand(asked, answer, origin);
    failures.push(`${asked.method} ${asked.url}: no instance is ready`);
    answer.writeHead(503).end();
  });
  function hand(asked: IncomingMessage, answer: ServerResponse, origin: string): void {
    const { method, url, headers } = asked;
    const onward = request(origin + url, { method, headers: { ...headers, connection: "keep-alive" }, agent });
    const fail = (error: Error) => {
      if (answer.destroyed) return; // the visitor has left
      failures.push(`${method} ${url}: ${error.message}`);
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end();
    };
    onward.on("error", fail).on("response", (response) => {
      const { connection, "keep-alive": _, ...kept } = response.headers;
      answer.writeHead(response.statusCode ?? 502, kept);
      response.on("error", fail).pipe(answer);
    });
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  }
  /** Asks all instances, one round after the other: an answer that comes late cannot undo a newer one. */
  async function probe(): Promise<void> {
    while (isOpen) {
      const all = urls();
      const states = await Promise.all(all.map(isReady));
      ready = all.filter((origin, at) => states[at] ?? ready.includes(origin));
      await pause(PROBE_INTERVAL);
    }
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const probing = probe();
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    failures,
    async close() {
      isOpen = false;
      await probing;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
}

/** Undefined if there is no answer in time: an instance that is slow for a moment stays as it was. */
function isReady(origin: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const asked = request(`${origin}/readyz`, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    const timer = setTimeout(() => {
      resolve(undefined);
      asked.destroy();
    }, PROBE_WITHIN);
    asked.on("error", () => resolve(false)).on("close", () => clearTimeout(timer));
    asked.end();
  });
}
