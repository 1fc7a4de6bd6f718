import type { IncomingMessage, RequestListener } from "node:http";
import { securityHeaders } from "../headers.server.ts";

/** A whole URL as the request target, as sent to a proxy; the groups are its host, and its path with the query. */
const ABSOLUTE = /^https?:\/\/([^/?#@]+)((?:[/?][^#]*)?)$/i;

/**
 * Makes sure that a request names one host (RFC 9112, 3.2): by a whole URL as its target, which takes precedence over
 * the Host header, or by one Host header. Two headers are refused, since a proxy on the way may have used the other
 * one; Node joins them with a comma (joinDuplicateHeaders), which no host has.
 */
export function withRequestTarget(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { url = "", headers } = request;
    if (headers.host?.includes(","))
      return void response
        .writeHead(400, { ...securityHeaders, "Content-Type": "text/plain; charset=utf-8", Connection: "close" })
        .end("Please name one host.");
    if (url === "*" && request.method === "OPTIONS")
      return void response.writeHead(204, { ...securityHeaders, Allow: "GET, HEAD, OPTIONS, POST" }).end();
    const [, host, rest = ""] = url.startsWith("/") ? [] : (ABSOLUTE.exec(url) ?? []);
    if (host !== undefined) readAs(request, host, rest.startsWith("/") ? rest : `/${rest}`);
    listener(request, response);
  };
}

// Some code reads `headers`, some `rawHeaders`, a list of names and values in turns: both are changed.
function readAs(request: IncomingMessage, host: string, url: string): void {
  const { headers, rawHeaders } = request;
  request.url = url;
  headers.host = host;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (at < 0) rawHeaders.push("Host", host);
  else rawHeaders[at + 1] = host;
}
