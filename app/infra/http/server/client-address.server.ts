import type { IncomingMessage, RequestListener } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { env } from "#app/infra/env.server.ts";
import { SCRIPTED_HEADER } from "../form-post.server.ts";
import { CLIENT_ADDRESS_HEADER } from "../network.ts";
import { asRequest } from "../request-context.server.ts";
import { countryAt, unpackCountries } from "../visitor-country.server.ts";

/** Headers that are set only here. If a visitor sends a header of the same name, it is dropped. */
const OWN_HEADERS = new Set([CLIENT_ADDRESS_HEADER, SCRIPTED_HEADER]);

/**
 * Passes what only the connection knows on to the routes, in headers that nobody else can set, and drops headers that
 * only a trusted proxy may set. The listener runs in the context of this request (request-context.server.ts).
 */
export function withClientAddress(listener: RequestListener): RequestListener {
  const isTrusted = trustedProxies();
  const fromVisitors = new Set(OWN_HEADERS);
  if (env.TRUSTED_PROXIES && env.COUNTRY_HEADER) fromVisitors.add(env.COUNTRY_HEADER.toLowerCase());
  return (request, response) => {
    const peer = plainAddress(request.socket.remoteAddress ?? "");
    dropHeaders(request, isTrusted(peer) ? OWN_HEADERS : fromVisitors);
    const address = clientAddress(peer, request, isTrusted);
    setHeader(request, CLIENT_ADDRESS_HEADER, address);
    if (request.url?.split("?", 1)[0]?.endsWith(".data")) setHeader(request, SCRIPTED_HEADER, "1");
    asRequest(address, () => listener(request, response));
  };
}

/**
 * Reads the country of a visitor (visitor-country.server.ts) from a request that `withClientAddress` has not passed on
 * yet.
 */
export function countryReader(): (request: IncomingMessage) => string | undefined {
  const isTrusted = trustedProxies();
  const { TRUSTED_PROXIES, COUNTRY_HEADER } = env;
  const header = COUNTRY_HEADER?.toLowerCase();
  unpackCountries();
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? "");
    const isNamed = header && (!TRUSTED_PROXIES || isTrusted(peer));
    const named = isNamed ? String(request.headers[header] ?? "") : "";
    return countryAt(clientAddress(peer, request, isTrusted), named);
  };
}

// Some code reads `headers`, some `rawHeaders`, a list of names and values in turns: both are changed.

function dropHeaders({ headers, rawHeaders }: IncomingMessage, names: ReadonlySet<string>): void {
  for (const name of names) delete headers[name];
  for (let at = rawHeaders.length - 2; at >= 0; at -= 2)
    if (names.has((rawHeaders[at] ?? "").toLowerCase())) rawHeaders.splice(at, 2);
}

function setHeader({ headers, rawHeaders }: IncomingMessage, name: string, value: string): void {
  headers[name] = value;
  rawHeaders.push(name, value);
}

function trustedProxies(): (address: string) => boolean {
  const list = new BlockList();
  for (const range of env.TRUSTED_PROXIES ?? []) {
    const [address = "", prefix] = range.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  // A closed connection has an empty address.
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/**
 * The client's address according to X-Forwarded-For, to which each proxy appends the address of its own client: the
 * last address that is not a trusted proxy's. Entries before an unreadable address may be forged.
 */
function clientAddress(peer: string, { headers }: IncomingMessage, isTrusted: (address: string) => boolean): string {
  const hops = String(headers["x-forwarded-for"] ?? "").split(",");
  let known = peer;
  while (isTrusted(known)) {
    const before = addressIn(hops.pop()?.trim() ?? "");
    if (isIP(before) === 0) break;
    known = before;
  }
  return known;
}

/** The address of an entry such as `203.0.113.9:4711` or `[2001:db8::1]:80`: some proxies add the port. */
function addressIn(hop: string): string {
  const [, v6, v4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d+)?$/i.exec(hop) ?? [];
  return plainAddress(v6 ?? v4 ?? hop);
}

/** An IPv4 address that is written as IPv6 (`::ffff:203.0.113.9`) as IPv4. */
function plainAddress(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
