import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { env } from "#app/infra/env.server.ts";
import { securityHeaders } from "../headers.server.ts";
import { localLimit } from "../local-limit.server.ts";
import { CLIENT_ADDRESS_HEADER } from "../network.ts";
import { noteSecurity } from "../security-log.server.ts";
import { isLoopbackName } from "../this-machine.ts";

type Refusal = { status: number; text: string; headers?: Record<string, string> };

/** Refuses requests with an unreadable path and requests for another host, before anything else reads them. */
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

/** The database cannot store this character, so no page has it in its path. */
const NUL = "%00";
/** Health checks address a machine, not the shop by its name. */
const PROBES = new Set(["/healthz", "/readyz", "/status"]);

// A whole URL instead of a path would name another host than the checked Host header.
const isReadable = (url: string) => url.startsWith("/") && !url.includes(NUL);

/** Whether a request is for this shop, with a readable path. */
export function isForThisShop(request: IncomingMessage): boolean {
  return isReadable(request.url ?? "") && isOwnHost(request);
}

function refusalOf(request: IncomingMessage): Refusal | undefined {
  const { url = "", headers } = request;
  if (!isReadable(url)) return { status: 400, text: "This address can’t be read." };
  if (isOwnHost(request) || PROBES.has(url)) return;
  noteSecurity("unknown-host", { host: (headers.host ?? "").slice(0, 100) });
  const hint = env.PUBLIC_URL === undefined ? " PUBLIC_URL sets another one." : "";
  return { status: 421, text: `This is ${env.publicUrl.host}: no other host is answered for.${hint}` };
}

/**
 * Whether the host is that of PUBLIC_URL or an address of this machine. Anybody can make a name lead here (DNS
 * rebinding), but nobody can forge the address at which a connection arrives. HTTP/1.0 needs no Host header, and a
 * request without one names no other host; from HTTP/1.1 on Node refuses such a request.
 */
function isOwnHost({ headers: { host }, socket }: IncomingMessage): boolean {
  if (host === undefined || host === env.publicUrl.host) return true;
  const name = nameOf(host);
  if (name === undefined) return false;
  const known = [env.publicUrl.hostname, env.HOST, socket.localAddress?.replace(/^::ffff:(?=[\d.]+$)/, "")];
  return isLoopbackName(name) || known.includes(name) || known.includes(name.replace(/^\[(.+)\]$/, "$1"));
}

/** The host's name without the port. */
function nameOf(host: string): string | undefined {
  return URL.parse(`http://${host}`)?.hostname;
}

/** Paths that search the database for whatever text a visitor sends. */
const SEARCH = /^\/(?:(?:shop|collections\/+[^/?]+)\/*(?:_?\.data)?\?|api\/(?:suggestions|products))/i;
const searchesOf = localLimit("search", 1800);

/** The URL as the router reads it: a path may contain escapes, and steps without effect (`/./shop`). */
function asRead(url: string): string {
  const read = URL.parse(env.publicUrl.origin + url);
  try {
    return read ? decodeURI(read.pathname) + read.search : url;
  } catch {
    return url; // the router refuses it
  }
}

/** Whether a search exceeds the limit: the request is answered then. False for any other request. */
export function refuseSearch({ url = "", headers }: IncomingMessage, response: ServerResponse): boolean {
  const limited = SEARCH.test(asRead(url)) && searchesOf(String(headers[CLIENT_ADDRESS_HEADER] ?? "unknown"));
  if (!limited || limited.ok) return false;
  const text = "Too many searches. Please try again in a moment.";
  answerWith({ status: 429, text, headers: { "Retry-After": String(limited.retryAfter) } }, response);
  return true;
}

/** For requests that the page cache has not checked. */
export function limitSearches(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (!refuseSearch(request, response)) listener(request, response);
  };
}
