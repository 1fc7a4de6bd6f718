import { BlockList, isIP } from "node:net";
import { addressOf } from "./network.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/**
 * Whether a name leads to the machine itself, on any machine: no other site can have such a name. IPv6 addresses with
 * or without brackets.
 */
export function isLoopbackName(name: string): boolean {
  const plain = name.toLowerCase().replace(/^\[(.+)\]$/, "$1");
  const family = isIP(plain);
  if (family !== 0) return loopback.check(plain, family === 6 ? "ipv6" : "ipv4");
  return plain === "localhost" || plain.endsWith(".localhost");
}

/** Headers that proxies add. Behind a proxy on this machine, every request seems to come from here. */
const PROXIED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** Whether a request comes from this machine, is addressed to a loopback name, and has passed no proxy. */
export function isFromThisMachine(request: Request): boolean {
  const name = URL.parse(`http://${request.headers.get("host")}`)?.hostname;
  const isDirect = !PROXIED.some((header) => request.headers.has(header));
  return isDirect && name !== undefined && isLoopbackName(name) && isLoopbackName(addressOf(request));
}
