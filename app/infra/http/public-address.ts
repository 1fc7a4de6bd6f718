import { BlockList, isIP } from "node:net";

/**
 * The ranges that IANA has reserved in IPv4: this machine, private and providers' networks, link-local, documentation,
 * multicast and unassigned addresses.
 */
const NOT_PUBLIC_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
];

/**
 * Only 2000::/3 of IPv6 is assigned, except for the ranges reserved in it: protocols (Teredo among them),
 * documentation, 6to4.
 */
const PUBLIC_IPV6 = ["2000::/3"];
const NOT_PUBLIC_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const closedIpv4 = ranges("ipv4", NOT_PUBLIC_IPV4);
const openIpv6 = ranges("ipv6", PUBLIC_IPV6);
const closedIpv6 = ranges("ipv6", NOT_PUBLIC_IPV6);

/** Whether an IP address belongs to the public internet. IPv6 addresses that stand for an IPv4 address do not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closedIpv4.check(address, "ipv4");
  return isIP(address) === 6 && openIpv6.check(address, "ipv6") && !closedIpv6.check(address, "ipv6");
}

function ranges(family: "ipv4" | "ipv6", all: string[]): BlockList {
  const list = new BlockList();
  for (const range of all) {
    const [network = "", prefix] = range.split("/");
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
