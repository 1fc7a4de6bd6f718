import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type OutboundRequest, outboundChannel } from "#app/infra/channels.server.ts";
import { SECOND } from "#app/infra/durations.ts";

const MB = 1024 * 1024;

/** No whole answer: out of reach, too slow or too long. Whether the other side acted is unknown. */
type Unreached = { reached: false; reason: string };
export type HttpReply = { reached: true; status: number; text: string } | Unreached;
export type BytesReply = { reached: true; status: number; bytes: Buffer } | Unreached;

export type HttpOptions = {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  timeout?: number;
  maxBytes?: number;
  /** The IP addresses that may be connected to; without it, all. */
  mayReach?: MayReach;
};
export type MayReach = (address: string) => boolean;

const agents = { "http:": new http.Agent({ keepAlive: true }), "https:": new https.Agent({ keepAlive: true }) };

/**
 * Asks another server: bounded in time (ms, the whole exchange) and size, and redirects are answers, never followed. Node's own client, since
 * fetch takes twice the processor.
 */
export async function request(url: string, options: HttpOptions = {}): Promise<HttpReply> {
  const reply = await requestBytes(url, options);
  return reply.reached ? { reached: true, status: reply.status, text: reply.bytes.toString("utf8") } : reply;
}

/** The same, with what came as it came. */
export function requestBytes(url: string, options: HttpOptions = {}): Promise<BytesReply> {
  const asked: OutboundRequest = { method: options.method ?? "GET", url, headers: { ...options.headers } };
  return outboundChannel.tracePromise(async () => {
    const reply = await exchange(asked, options);
    if (reply.reached) asked.status = reply.status;
    return reply;
  }, asked);
}

async function exchange(
  { method, url, headers }: OutboundRequest,
  { body, timeout = 10 * SECOND, maxBytes = MB, mayReach }: HttpOptions,
): Promise<BytesReply> {
  const signal = AbortSignal.timeout(timeout);
  try {
    const guarded = mayReach && reachOnly(mayReach, url);
    const response = await send(url, { method, headers, signal, ...guarded }, body);
    const bytes = await readAtMost(response, maxBytes);
    if (!bytes) return { reached: false, reason: `more than ${maxBytes / MB} MB` };
    return { reached: true, status: response.statusCode ?? 0, bytes };
  } catch (error) {
    return { reached: false, reason: signal.aborted ? "timed out" : reasonOf(error) };
  }
}

/**
 * The connection goes to the very address that was looked at: a name that means another one a moment later changes nothing. It is a connection of its
 * own, since one that is kept was made without this look.
 */
function reachOnly(mayReach: MayReach, url: string): http.RequestOptions {
  const refuse = (address: string) => new Error(`${address} is no public address`);
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) && !mayReach(host)) throw refuse(host); // it is not looked up
  const lookup: LookupFunction = (name, options, callback) =>
    dns.lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const [first, ...rest] = found.filter(({ address }) => mayReach(address));
      if (!first) return callback(refuse(found.map(({ address }) => address).join(", ")), []);
      if (options.all) return callback(null, [first, ...rest]);
      callback(null, first.address, first.family);
    });
  return { lookup, agent: false };
}

function send(url: string, options: http.RequestOptions, body = ""): Promise<http.IncomingMessage> {
  const { protocol } = new URL(url);
  const [{ request }, agent] = protocol === "https:" ? [https, agents["https:"]] : [http, agents["http:"]];
  return new Promise((resolve, reject) => {
    request(url, { agent, ...options }, resolve)
      .on("error", reject)
      .end(body);
  });
}

async function readAtMost(response: http.IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBytes) return;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  const { name, message, code } = error as NodeJS.ErrnoException;
  return message || code || name;
}
