import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";

/**
 * The same site behind a network on which each page that matches `cut` stalls at the match, until `goesOn` resolves.
 */
export function stalling(site: string, cut: RegExp, goesOn: Promise<unknown>) {
  return behind(site, async (response, answer) => {
    if (!answer.headers["content-type"]?.startsWith("text/html")) return passOn(response, answer);
    const page = (await buffer(answer)).toString();
    const at = page.search(cut);
    if (at > 0) {
      response.write(page.slice(0, at));
      await goesOn;
    }
    response.end(page.slice(Math.max(at, 0)));
  });
}

/**
 * The same site behind a network that delays the next answers from `path` by `delays`, in ms, so that later requests
 * overtake earlier ones. The next `losses` answers never come. `unanswered` is the number of requests under way.
 */
export async function late(site: string, path: string) {
  const here = await behind(
    site,
    async (response, answer, of) => {
      if (of === path && network.losses > 0) {
        network.losses--;
        response.destroy();
      }
      if (of === path) await pause(network.delays.shift());
      passOn(response, answer);
    },
    (response, of) => {
      if (of !== path) return;
      network.unanswered++;
      response.once("close", () => network.unanswered--);
    },
  );
  const network = { ...here, delays: [] as number[], losses: 0, unanswered: 0 };
  return network;
}

type Carry = (response: ServerResponse, answer: IncomingMessage, path: string | undefined) => Promise<void>;

/**
 * A proxy between browser and site. Routes inside the browser would lose requests that a page sends as it closes
 * (`keepalive`).
 */
async function behind(
  site: string,
  carry: Carry,
  asked: (response: ServerResponse, path: string | undefined) => void = () => undefined,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    asked(response, request.url);
    const headers = { ...request.headers, "accept-encoding": "identity" }; // uncompressed, so that pages can be cut
    const passed = ask(site + request.url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      void carry(response, answer, request.url);
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function passOn(response: ServerResponse, answer: IncomingMessage): void {
  if (response.destroyed) answer.destroy();
  else pipeline(answer, response, () => undefined); // either side may close the connection
}
