import { spawn } from "node:child_process";
import http from "node:http";
import { json, text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";

/** One measured figure. `bar` is the value that it has to reach. */
export type Figure = { name: string; value: number; unit: string; bar?: { min: number } | { max: number } };

/** Times in milliseconds. `failed` counts answers with a status of 400 and more, and requests without an answer. */
export type Load = { perSecond: number; p50: number; p95: number; p99: number; failed: number };

type Options = { connections?: number; seconds?: number; requests?: Partial<autocannon.Request>[]; cookies?: string[] };

/**
 * Sends requests as fast as the connections allow (closed loop). If there are cookies, each connection carries one of
 * them.
 */
export async function load(
  url: string,
  { connections = 20, seconds = 5, requests, cookies }: Options = {},
): Promise<Load> {
  const times: number[] = [];
  let client = 0;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const options: autocannon.Options = {
      url,
      requests: requests as autocannon.Request[],
      connections,
      duration: seconds,
      headers: { "accept-encoding": "gzip, deflate, br, zstd" }, // as Chromium sends it
      setupClient: (one) => {
        forgetBodies(one);
        const cookie = cookies?.[client++ % cookies.length];
        if (cookie) one.setHeaders({ ...requests?.[0]?.headers, cookie });
      },
    };
    const running = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)));
    running.on("response", (_client, _status, _bytes, time) => times.push(time));
  });
  const refused = result["4xx"] + result["5xx"];
  return { ...summary(times, result.duration), failed: result.errors + refused };
}

/**
 * Makes a client of autocannon ignore bodies. It would decode each one to a text, compressed or not, which takes longer
 * than the shop takes to send the page, and longer by the page's weight: the load would measure itself.
 */
function forgetBodies(client: autocannon.Client): void {
  const { pipelinedRequests: queue } = client as unknown as { pipelinedRequests?: { addBody?(data: Buffer): void } };
  if (!queue?.addBody) throw new Error("Clients of this version of autocannon keep bodies in another place");
  queue.addBody = () => undefined;
}

/** Does each piece of work once, `atOnce` of them at a time. */
export async function eachOnce<T>(pieces: T[], atOnce: number, work: (piece: T) => Promise<void>): Promise<Load> {
  const times: number[] = [];
  const left = [...pieces];
  let failed = 0;
  const begin = performance.now();
  async function worker(): Promise<void> {
    while (left.length > 0) {
      const piece = left.pop() as T;
      const start = performance.now();
      try {
        await work(piece);
      } catch (error) {
        if (failed++ === 0) process.stderr.write(`${error}\n`);
      }
      times.push(performance.now() - start);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { ...summary(times, (performance.now() - begin) / 1000), failed };
}

/** Does the work again and again while it `lasts`, one call after the other, with a pause of so many ms between them. */
export async function every(
  pause: number,
  lasts: () => boolean,
  work: () => Promise<unknown>,
): Promise<Omit<Load, "perSecond">> {
  const times: number[] = [];
  let failed = 0;
  for (; lasts(); await sleep(pause)) {
    const start = performance.now();
    try {
      await work();
    } catch (error) {
      if (failed++ === 0) process.stderr.write(`${error}\n`);
    }
    times.push(performance.now() - start);
  }
  return { ...summary(times, 1), failed };
}

/**
 * Runs a program of its own, so that a load does not delay the clocks of what is measured beside it. It reads `input`
 * as JSON and prints the result as JSON.
 */
export async function runApart<Result>(program: string, input: unknown): Promise<Result> {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(input));
  return (await json(child.stdout)) as Result;
}

/** Requests per second and percentiles. Throws if nothing was measured. */
export function summary(times: number[], seconds: number): Omit<Load, "failed"> {
  if (times.length === 0) throw new Error("Nothing was measured: no answer came");
  times.sort((a, b) => a - b);
  const at = (part: number) => round(times[Math.min(times.length - 1, Math.floor(times.length * part))] as number);
  return { perSecond: Math.round(times.length / seconds), p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });

export type Answer = { status: number; headers: http.IncomingHttpHeaders; body: string };

type Question = { cookie?: string; address?: string; form?: Record<string, string>; json?: string };

/**
 * One request over a kept connection, with a form or JSON as its body if there is one. Lighter than fetch, since it
 * shares the processor with the shop that is measured.
 */
export function ask(url: string, { cookie = "", address, form, json: value }: Question = {}): Promise<Answer> {
  const body = form ? new URLSearchParams(form).toString() : value;
  const headers = {
    cookie,
    ...(address && { "x-forwarded-for": address }),
    ...(form && { "content-type": "application/x-www-form-urlencoded" }),
    ...(value && { "content-type": "application/json" }),
  };
  const send = () =>
    new Promise<Answer>((resolve, reject) => {
      const request = http.request(url, { agent, method: body ? "POST" : "GET", headers }, async (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) });
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server has closed the idle connection in the moment in which it was used again.
        if (request.reusedSocket && error.code === "ECONNRESET") resolve(send());
        else reject(error);
      });
      request.end(body);
    });
  return send();
}

/** The body of a page, for a visitor from this address. Throws unless its status is 200. */
export async function get(url: string, address: string): Promise<string> {
  const { status, body } = await ask(url, { address });
  if (status !== 200) throw new Error(`${url}: ${status}`);
  return body;
}
