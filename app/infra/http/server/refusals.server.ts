import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { env } from "#app/infra/env.server.ts";
import { securityHeaders } from "../headers.server.ts";
import { localLimit } from "../local-limit.server.ts";
import { CLIENT_ADDRESS_HEADER } from "../network.ts";
import { noteSecurity } from "../security-log.server.ts";

type Refusal = { status: number; text: string; headers?: Record<string, string> };

/** What makes no sense is refused before anything reads it: an address that cannot be read, and another host's. */
export function refuseUnknownHosts(listener: RequestListener): RequestListener {
  return (request, response) => {
    const refusal = refusalOf(request);
    if (refusal) answerWith(refusal, response);
    else listener(request, response);
  };
}

function answerWith({ status, text, headers }: Refusal, response: ServerResponse): void {
  response.writeHead(status, { ...securityHeaders, "Content-Type": "text/plain; charset=utf-8", ...headers }).end(text);
}

/** No text of the database has this character, so nothing stands under such an address. */
const NUL = "%00";
/** Whoever watches asks a machine by its address, not a shop by its name. */
const PROBES = new Set(["/healthz", "/readyz", "/status"]);

function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { url = "", headers } = request;
  // A whole URL as a path names a host of its own, past the header that was looked at.
  if (!url.startsWith("/") || url.includes(NUL)) return { status: 400, text: "This address cannot be read." };
  if (isOwnHost(request) || PROBES.has(url)) return;
  noteSecurity("unknown-host", { host: (headers.host ?? "").slice(0, 100) });
  return { status: 421, text: `This is ${env.publicUrl.host}: no other host is answered for.` };
}

/**
 * Where PUBLIC_URL is set: its host, and the addresses by which this machine itself is asked. A demo answers under any name. HTTP/1.0 needs no Host, and
 * who names none asks for no other one; from HTTP/1.1 on Node refuses a request without it.
 */
function isOwnHost({ headers: { host }, socket }: IncomingMessage): boolean {
  if (env.PUBLIC_URL === undefined || host === undefined || host === env.publicUrl.host) return true;
  const name = nameOf(host);
  const known = [env.publicUrl.hostname, env.HOST, "localhost", "[::1]", socket.localAddress];
  if (name === undefined) return false;
  return known.includes(name) || known.includes(name.replace(/^\[(.+)\]$/, "$1")) || /^127\.[\d.]+$/.test(name);
}

/** Without the port. */
function nameOf(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname;
}

/** What is looked up anew for each text that somebody makes up. */
const SEARCH = /^\/(?:shop\/*(?:_?\.data)?\?|api\/(?:suggestions|products))/i;
const searchesOf = localLimit("search", 1800);

/** As the router reads it: a path may be written with escapes, and with steps that lead nowhere (`/./shop`). */
function asRead(url: string): string {
  const read = URL.parse(env.publicUrl.origin + url);
  try {
    return read ? decodeURI(read.pathname) + read.search : url;
  } catch {
    return url; // the router refuses it
  }
}

/** Answers a search that is one too many; false for what is none, or may go on. */
export function refuseSearch({ url = "", headers }: IncomingMessage, response: ServerResponse): boolean {
  const limited = SEARCH.test(asRead(url)) && searchesOf(String(headers[CLIENT_ADDRESS_HEADER] ?? "unknown"));
  if (!limited || limited.ok) return false;
  const text = "Too many searches. Please try again in a moment.";
  answerWith({ status: 429, text, headers: { "Retry-After": String(limited.retryAfter) } }, response);
  return true;
}

/** For what the page cache does not ask about. */
export function limitSearches(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (!refuseSearch(request, response)) listener(request, response);
  };
}
