import { isIPv4 } from "node:net";

/** Whether data sent to this host stays on the machine: a loopback name or address, or the folder of a socket. */
function isThisMachine(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return ["", "localhost", "::1"].includes(name) || name.startsWith("/") || (isIPv4(name) && name.startsWith("127."));
}

/** Whether a request to this address crosses a network without TLS. */
export function isAskedInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !isThisMachine(hostname);
}

/**
 * The address of a server, changed so that its client demands TLS and verifies the certificate; or why that is
 * impossible.
 */
type Secured = { url?: string; problem?: string };

function inClear(host: string, parameter: string): Secured {
  return { problem: `cannot have ${parameter}: to ${host} only TLS with a verified certificate is used` };
}

const MODES_WITH_TLS = new Set(["require", "verify-ca", "verify-full"]);

/** `defaultHost` is the host that applies if the address names none. */
export function securedDatabase(given: string | undefined, defaultHost = ""): Secured {
  if (!given) return {};
  const url = new URL(given);
  const { searchParams: query } = url;
  const host = query.getAll("host").at(-1) || url.hostname.replaceAll(/%2f/gi, "/") || defaultHost;
  if (isThisMachine(host)) return { url: given };
  const mode = query.getAll("sslmode").find((one) => !MODES_WITH_TLS.has(one));
  if (mode !== undefined) return inClear(host, `sslmode=${mode}`);
  const ssl = query.getAll("ssl").find((one) => !["true", "1"].includes(one));
  if (ssl !== undefined) return inClear(host, `ssl=${ssl}`);
  for (const name of ["ssl", "uselibpqcompat"]) query.delete(name);
  query.set("sslmode", "verify-full");
  return { url: url.href };
}

const WITHOUT_TLS = [
  ["requireTLS", "false"],
  ["ignoreTLS", "true"],
  ["opportunisticTLS", "true"],
  ["tls.rejectUnauthorized", "false"],
] as const;

export function securedMailServer(given: string | undefined): Secured {
  if (!given) return {};
  const url = new URL(given);
  const { searchParams: query } = url;
  if (isThisMachine(url.hostname)) return { url: given };
  for (const [name, value] of WITHOUT_TLS) if (query.has(name, value)) return inClear(url.hostname, `${name}=${value}`);
  for (const name of ["requireTLS", "tls.rejectUnauthorized"]) query.set(name, "true");
  return { url: url.href };
}
